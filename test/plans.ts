import pg from 'pg'
import { recordStatements, type Statement } from './statements.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}
/** A plan of a statement as a flat list of its nodes. */
export interface StatementPlan {
  readonly text: string
  readonly nodes: readonly PlanNode[]
}

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] }

/** Opens a connection that explains the statements of a call. */
export async function planner(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()

  async function explain(
    options: string,
    { text, values }: Statement,
    withValues: boolean,
  ): Promise<PlanNode> {
    const { rows } = await client.query<Explained>(
      `explain (format json, ${options}) ${text}`,
      withValues ? [...values] : [],
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    if (!plan) throw new Error(`There is no plan for ${text}`)
    return plan.Plan
  }

  async function plansOf(call: () => Promise<unknown>): Promise<StatementPlan[]> {
    const plans: StatementPlan[] = []
    for (const statement of await statementsOf(call)) {
      const { text, name } = statement
      plans.push({ text, nodes: flatten(await explain('costs', statement, true)) })
      if (name !== undefined)
        plans.push({ text, nodes: flatten(await explain('generic_plan', statement, false)) })
    }
    return plans
  }

  return {
    client,
    /** Returns the custom plan of each statement of a call, and the generic plan of each prepared one. */
    plansOf,
    /** Returns the nodes of these plans. */
    planNodes: async (call: () => Promise<unknown>) => (await plansOf(call)).flatMap(({ nodes }) => nodes),
    /** Returns how many pages of tables and indexes the call's `select` statements read. */
    async pagesOf(call: () => Promise<unknown>): Promise<number> {
      let pages = 0
      for (const statement of await statementsOf(call)) {
        if (!/^\s*(select|with)/i.test(statement.text) || isChange(statement.text)) continue
        const root = await explain('analyze, buffers', statement, true)
        pages += (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
      }
      return pages
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

const isChange = (text: string) => /\b(insert into|update|delete from)\b/i.test(text)

async function statementsOf(call: () => Promise<unknown>): Promise<Statement[]> {
  using statements = recordStatements()
  await call()
  const sent = statements
    .sent()
    .filter(({ text }) => /^(?:\/\* unprepared \*\/)?\s*(?:select|update|with)/i.test(text))
  if (sent.length === 0) throw new Error('The call sent no statements')
  return sent
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
