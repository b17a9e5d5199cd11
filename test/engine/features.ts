import { parse } from 'libpg-query'

/** A node of PostgreSQL's syntax tree, or one of its fields that has fields. */
export type Tree = Readonly<Record<string, unknown>>

/** Returns the PostgreSQL features that a statement uses, in words like `for update skip locked`. */
export async function featuresOf(statement: string): Promise<ReadonlySet<string>> {
  const { stmts = [] } = await parseNormalized(statement)
  const features = new Set<string>()
  for (const { stmt } of stmts) collect(stmt, features)
  return features
}

/** Some statements take constants only, such as `set transaction snapshot`. PostgreSQL has replaced these by parameters. */
function parseNormalized(statement: string) {
  return parse(statement).catch(() => parse(statement.replaceAll(/\$\d+/g, "''")))
}

/** `schema`: DDL and administration. `catalog`: reads a system catalog. `data`: everything else. */
export async function kindOf(statement: string): Promise<'schema' | 'catalog' | 'data'> {
  const { stmts = [] } = await parseNormalized(statement)
  const nodes = stmts.flatMap(({ stmt = {} }) => Object.keys(stmt))
  if (!nodes.every((node) => dataStatements.has(node))) return 'schema'
  return readsCatalog(stmts) ? 'catalog' : 'data'
}

const dataStatements = new Set([
  ...[
    'SelectStmt',
    'InsertStmt',
    'UpdateStmt',
    'DeleteStmt',
    'MergeStmt',
    'CopyStmt',
    'TruncateStmt',
    'LockStmt',
  ],
  ...['ListenStmt', 'UnlistenStmt', 'NotifyStmt', 'TransactionStmt', 'VariableSetStmt', 'DeclareCursorStmt'],
])

function readsCatalog(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(readsCatalog)
  if (!isTree(value)) return false
  const { schemaname, relname } = value
  return (
    schemaname === 'information_schema' ||
    (typeof relname === 'string' && relname.startsWith('pg_')) ||
    Object.values(value).some(readsCatalog)
  )
}

function collect(value: unknown, features: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, features)
  if (!isTree(value)) return
  for (const [key, node] of Object.entries(value)) {
    if (isTree(node)) for (const feature of nodeFeatures(key, node)) if (feature) features.add(feature)
    collect(node, features)
  }
}

type Feature = string | false

/** Returns the features of one node. Its key is its type or the field of the parent that has this type only. */
function nodeFeatures(key: string, node: Tree): readonly Feature[] {
  const described = descriptions[key]
  if (described) return described(node)
  return /^([A-Z]\w*Stmt|(Json|Xml)\w*)$/.test(key) ? [words(key.replace(/Stmt$/, ''))] : []
}

const selectFeatures = (node: Tree): Feature[] => [
  Array.isArray(node.distinctClause) && Object.keys(node.distinctClause[0]).length > 0 && 'distinct on',
  node.op !== undefined &&
    node.op !== 'SETOP_NONE' &&
    words(suffix(node.op)) + (node.all === true ? ' all' : ''),
  node.limitOption === 'LIMIT_OPTION_WITH_TIES' && 'fetch first with ties',
]

const descriptions: Readonly<Record<string, (node: Tree) => readonly Feature[]>> = {
  SelectStmt: selectFeatures,
  larg: selectFeatures,
  rarg: selectFeatures,
  InsertStmt: () => [],
  UpdateStmt: ({ fromClause }) => [fromClause !== undefined && 'update from'],
  DeleteStmt: ({ usingClause }) => [usingClause !== undefined && 'delete using'],
  returningClause: () => ['returning'],
  onConflictClause: ({ action, infer }) => [
    `on conflict do ${words(suffix(action))}`,
    isTree(infer) && infer.whereClause !== undefined && 'on conflict with a partial index',
    isTree(infer) &&
      JSON.stringify(infer.indexElems ?? []).includes('"expr"') &&
      'on conflict with an expression index',
  ],
  withClause: ({ recursive }) => [recursive === true && 'with recursive'],
  CommonTableExpr: ({ ctematerialized, ctequery }) => [
    ctematerialized === 'CTEMaterializeAlways' && 'with materialized',
    isTree(ctequery) && !('SelectStmt' in ctequery) && 'with that changes rows',
  ],
  LockingClause: ({ strength, waitPolicy }) => [
    lockStrengths[String(strength)] +
      (waitPolicy === 'LockWaitSkip' ? ' skip locked' : waitPolicy === 'LockWaitError' ? ' nowait' : ''),
  ],
  RangeSubselect: ({ lateral }) => [lateral === true && 'lateral'],
  RangeFunction: ({ lateral, ordinality }) => [
    lateral === true && 'lateral',
    ordinality === true && 'with ordinality',
  ],
  JoinExpr: ({ jointype }) => [jointype === 'JOIN_FULL' && 'full join'],
  GroupingSet: () => ['grouping sets'],
  RangeTableSample: () => ['tablesample'],
  FuncCall: (node) => [
    isBuiltIn(node.funcname) && `function ${lastName(node.funcname)}`,
    node.agg_filter !== undefined && 'aggregate with filter',
    node.agg_order !== undefined && 'aggregate with order by',
    node.agg_within_group === true && 'aggregate within group',
    node.func_variadic === true && 'variadic argument',
  ],
  over: () => ['window function'],
  MinMaxExpr: ({ op }) => [`function ${words(suffix(op))}`],
  SubLink: ({ subLinkType }) => [subLinkType === 'ARRAY_SUBLINK' && 'array(subquery)'],
  MultiAssignRef: () => ['update of several columns by a subquery'],
  A_Expr: ({ kind, name, lexpr }) => [
    kind === 'AEXPR_OP' && !basicOperators.has(lastName(name)) && `operator ${lastName(name)}`,
    kind === 'AEXPR_OP' && isTree(lexpr) && 'RowExpr' in lexpr && 'row comparison',
    (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL') && `${lastName(name)} any or all of an array`,
    kind === 'AEXPR_ILIKE' && 'ilike',
  ],
  A_Indices: ({ is_slice }) => [is_slice === true ? 'array slice' : 'array subscript'],
  CollateClause: ({ collname }) => [`collation ${lastName(collname)}`],
  collClause: ({ collname }) => [`collation ${lastName(collname)}`],
  typeName: ({ names, arrayBounds }) => [
    isBuiltIn(names) && `type ${lastName(names)}${arrayBounds === undefined ? '' : '[]'}`,
  ],
  TransactionStmt: () => [],
  VariableSetStmt: ({ name, is_local }) => [`set ${is_local === true ? 'local ' : ''}${name}`.toLowerCase()],
  DefElem: ({ defname, arg }) => [
    defname === 'transaction_isolation' && isTree(arg) && `isolation level ${sval(arg.A_Const)}`,
    defname === 'language' && `language ${sval(arg)}`,
  ],
  CreateStmt: ({ relation, partspec }) => [
    isTree(relation) && relation.relpersistence === 'u' && 'unlogged table',
    isTree(relation) && relation.relpersistence === 't' && 'temporary table',
    partspec !== undefined && 'partitioned table',
  ],
  Constraint: (node) => [
    constraints[String(node.contype)] ?? false,
    node.fk_del_action === 'c' && 'foreign key on delete cascade',
    node.fk_del_action === 'n' && 'foreign key on delete set null',
    Array.isArray(node.fk_attrs) && node.fk_attrs.length > 1 && 'foreign key of several columns',
    node.deferrable === true && 'deferrable constraint',
  ],
  IndexStmt: (node) => [
    `index ${node.accessMethod}`,
    node.unique === true && 'unique index',
    node.whereClause !== undefined && 'partial index',
    node.indexIncludingParams !== undefined && 'covering index (include)',
    node.options !== undefined && 'index storage parameter',
  ],
  IndexElem: ({ expr, opclass, ordering }) => [
    expr !== undefined && 'expression index',
    opclass !== undefined && `operator class ${lastName(opclass)}`,
    ordering === 'SORTBY_DESC' && 'descending index',
  ],
  AlterTableCmd: ({ subtype }) => [subtype === 'AT_SetStatistics' && 'statistics target of a column'],
  AlterTableStmt: () => [],
  CreateTrigStmt: ({ whenClause }) => ['trigger', whenClause !== undefined && 'trigger with a condition'],
  CreateExtensionStmt: ({ extname }) => [`extension ${extname}`],
}

const lockStrengths: Readonly<Record<string, string>> = {
  LCS_FORKEYSHARE: 'for key share',
  LCS_FORSHARE: 'for share',
  LCS_FORNOKEYUPDATE: 'for no key update',
  LCS_FORUPDATE: 'for update',
}

const constraints: Readonly<Record<string, string>> = {
  CONSTR_IDENTITY: 'identity column',
  CONSTR_GENERATED: 'generated column',
  CONSTR_CHECK: 'check constraint',
  CONSTR_FOREIGN: 'foreign key',
  CONSTR_EXCLUSION: 'exclusion constraint',
}

const basicOperators = new Set(['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '%'])

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a name is that of PostgreSQL or an extension: not in a schema of the database. */
function isBuiltIn(names: unknown): boolean {
  return Array.isArray(names) && (names.length === 1 || sval(names[0]) === 'pg_catalog')
}

/** Returns the last part of a qualified name. */
export function lastName(names: unknown): string {
  return sval(Array.isArray(names) ? names.at(-1) : undefined)
}

/** Returns the text of a string node or a constant. */
function sval(node: unknown): string {
  if (!isTree(node)) return ''
  return typeof node.sval === 'string' ? node.sval : sval(node.String ?? node.sval)
}

/** Returns what follows the first underscore in a constant of the parser, such as `UNION` in `SETOP_UNION`. */
function suffix(constant: unknown): string {
  return String(constant).replace(/^(SETOP|ONCONFLICT|IS)_/, '')
}

/** Turns `CreateSchema` and `DO_NOTHING` into lower-case words. */
function words(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}
