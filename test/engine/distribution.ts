import { parse } from 'libpg-query'
import { isTree, lastName, type Tree } from './features.ts'

/** The tables that a cluster distributes, by keys of their own (decision 0065). */
const keys: Readonly<Record<string, string>> = { messages: 'low_id', threads: 'member_id' }
const distributed = Object.keys(keys)

/** The functions of our updates of distributed tables that PostgreSQL calls immutable. */
const immutable = new Set(['timezone', 'make_interval'])

/** The functions of our statements that return nothing. */
const withoutResult = new Set(['pg_advisory_xact_lock', 'pg_notify', 'pg_sleep'])

const queries = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** Returns why a cluster would refuse a statement or ask more than it has to. Statements without distributed tables may do anything. */
export async function distributionFaults(statement: string): Promise<string[]> {
  const { stmts = [] } = await parse(statement).catch(() => ({ stmts: [] }))
  return stmts.flatMap(({ stmt = {} }) => {
    const found = queriesIn(stmt)
    if (!found.some((query) => distributedIn(query).length > 0)) return []
    return found.flatMap((query) => [
      ...faultsOf(query),
      ...voidsIn(query),
      ...correlatedIn(query.node, query.names),
    ])
  })
}

/** A query without its common table expressions, each of which is a query of its own. */
interface Query {
  readonly kind: string
  readonly node: Tree
  /** The common table expressions that it can refer to. */
  readonly names: readonly string[]
  /** False for a common table expression that PostgreSQL may merge with the query around it. */
  readonly isApart: boolean
}

function queriesIn(value: unknown, names: readonly string[] = [], isApart = true): Query[] {
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([kind, node]) => {
    if (!queries.includes(kind) || !isTree(node)) return []
    const expressions = expressionsIn(node)
    const known = [...names, ...expressions.map(({ ctename }) => String(ctename))]
    return [
      { kind, node, names: known, isApart },
      ...expressions.flatMap(({ ctequery, ctematerialized }) =>
        queriesIn(
          ctequery,
          known,
          ctematerialized === 'CTEMaterializeAlways' || !(isTree(ctequery) && 'SelectStmt' in ctequery),
        ),
      ),
    ]
  })
}

/** Returns the common table expressions of a query and of its subqueries. */
function expressionsIn(value: unknown): Tree[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn)
  if (!isTree(value)) return []
  const { CommonTableExpr: expression } = value
  return isTree(expression) ? [expression] : Object.values(value).flatMap(expressionsIn)
}

function tablesIn({ node, names }: Query): string[] {
  return [...new Set(nodesIn(node, 'relname').filter((name) => !names.includes(name)))]
}

function distributedIn(query: Query): string[] {
  return tablesIn(query).filter((table) => distributed.includes(table))
}

function faultsOf(query: Query): string[] {
  const { kind, node, isApart } = query
  const [tables, found] = [tablesIn(query), distributedIn(query)]
  if (found.length === 0) return []
  const updated = kind === 'UpdateStmt' ? [node.targetList, node.whereClause] : [node.onConflictClause]
  return [
    ...(tables.length > 1 ? [`joins ${tables.toSorted().join(', ')}`] : []),
    ...(isApart ? [] : [`reads ${found[0]} in a common table expression that is not materialized`]),
    ...updated.flatMap(mutableIn).map((name) => `updates ${found[0]} with ${name}`),
    ...locksIn(node, found),
  ]
}

/** Returns the columns of a query that have no type: a cluster can't pass them on between the parts of a statement. */
function voidsIn({ node: { targetList } }: Query): string[] {
  if (!Array.isArray(targetList)) return []
  return targetList.flatMap(({ ResTarget: target }) => {
    const name =
      isTree(target) && isTree(target.val) && isTree(target.val.FuncCall) && target.val.FuncCall.funcname
    return name && withoutResult.has(lastName(name)) ? [`selects nothing from ${lastName(name)}`] : []
  })
}

/** Returns the set operations inside a query that depend on a row of a common table expression: a cluster refuses their tables. */
function correlatedIn(value: unknown, names: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => correlatedIn(item, names))
  if (!isTree(value)) return []
  const isSet = value.op === 'SETOP_UNION' || value.op === 'SETOP_INTERSECT' || value.op === 'SETOP_EXCEPT'
  const own = isSet ? nodesIn(value, 'relname') : []
  const outer = isSet ? qualifiersIn(value).filter((name) => names.includes(name) && !own.includes(name)) : []
  return [
    ...[...new Set(outer)].map((name) => `combines rows for each row of ${name}`),
    ...(isSet
      ? []
      : Object.entries(value).flatMap(([key, child]) =>
          key === 'withClause' ? [] : correlatedIn(child, names),
        )),
  ]
}

/** Returns the names of tables with which columns are qualified. */
function qualifiersIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(qualifiersIn)
  if (!isTree(value)) return []
  const { ColumnRef: column } = value
  if (isTree(column) && Array.isArray(column.fields) && column.fields.length > 1)
    return [lastName(column.fields.slice(0, 1))]
  return Object.values(value).flatMap(qualifiersIn)
}

/** Returns why the locks of a query are no locks of one shard. */
function locksIn(value: unknown, found: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => locksIn(item, found))
  if (!isTree(value)) return []
  const locked = value.lockingClause ? nodesIn(value.fromClause, 'relname') : []
  return [
    ...found
      .filter((table) => locked.includes(table) && !equals(value.whereClause, keys[table]))
      .map((table) => `locks rows of ${table} on several shards`),
    ...Object.entries(value).flatMap(([key, child]) => (key === 'withClause' ? [] : locksIn(child, found))),
  ]
}

/** Returns whether a condition has one value of a column. */
function equals(condition: unknown, column: string | undefined): boolean {
  if (!isTree(condition)) return false
  const { BoolExpr: all, A_Expr: comparison } = condition
  if (isTree(all) && all.boolop === 'AND_EXPR' && Array.isArray(all.args))
    return all.args.some((each) => equals(each, column))
  return (
    isTree(comparison) &&
    comparison.kind === 'AEXPR_OP' &&
    lastName(comparison.name) === '=' &&
    isTree(comparison.lexpr) &&
    isTree(comparison.lexpr.ColumnRef) &&
    lastName(comparison.lexpr.ColumnRef.fields) === column
  )
}

/** Returns the values of a field in a query, without its common table expressions. */
function nodesIn(value: unknown, field: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => nodesIn(item, field))
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'withClause') return []
    return key === field ? [String(child)] : nodesIn(child, field)
  })
}

/** Returns the functions and operators of an expression that are stable or volatile. */
function mutableIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mutableIn)
  if (!isTree(value)) return []
  const { FuncCall: call, SQLValueFunction: current, A_Expr: operation } = value
  const found: string[] = []
  if (isTree(call) && !immutable.has(lastName(call.funcname))) found.push(lastName(call.funcname))
  if (current) found.push('the current time or user')
  if (isTree(operation) && isTimeWithZone(operation)) found.push('an interval on a time with a zone')
  return [...found, ...Object.values(value).flatMap(mutableIn)]
}

/** Returns whether an operation adds an interval to a time that is not converted to UTC first. */
function isTimeWithZone({ name, lexpr, rexpr }: Tree): boolean {
  return (
    ['+', '-'].includes(lastName(name)) &&
    [lexpr, rexpr].some(isInterval) &&
    ![lexpr, rexpr].some(
      (side) => isTree(side) && isTree(side.FuncCall) && lastName(side.FuncCall.funcname) === 'timezone',
    )
  )
}

function isInterval(value: unknown): boolean {
  if (!isTree(value)) return false
  const { FuncCall: call, TypeCast: cast } = value
  return (
    (isTree(call) && lastName(call.funcname) === 'make_interval') ||
    (isTree(cast) && isTree(cast.typeName) && lastName(cast.typeName.names) === 'interval')
  )
}
