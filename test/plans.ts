import pg from 'pg'
import { recordStatements, type Statement } from './statements.ts'

export interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Step[]
}
type Explained = { 'QUERY PLAN': [{ Plan: Step }] }

/** A connection of the test's own, to ask PostgreSQL how it goes about things. */
export async function planner(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()

  async function explain(how: string, { text, values }: Statement, withValues: boolean): Promise<Step> {
    const { rows } = await client.query<Explained>(
      `explain (format json, ${how}) ${text}`,
      withValues ? [...values] : [],
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    if (!plan) throw new Error(`There is no plan for ${text}`)
    return plan.Plan
  }

  return {
    client,
    /** All steps of what is asked: with the values, and (as it may come to do) for any values. */
    async stepsOf(ask: () => Promise<unknown>): Promise<Step[]> {
      const found: Step[] = []
      for (const statement of await statementsOf(ask)) {
        found.push(...below(await explain('costs', statement, true)))
        found.push(...below(await explain('generic_plan', statement, false)))
      }
      return found
    },
    /** How many pages of tables and indexes the reading of what is asked touches. */
    async pagesOf(ask: () => Promise<unknown>): Promise<number> {
      let pages = 0
      for (const statement of await statementsOf(ask)) {
        if (!/^\s*select/i.test(statement.text)) continue
        const step = await explain('analyze, buffers', statement, true)
        pages += (step['Shared Hit Blocks'] ?? 0) + (step['Shared Read Blocks'] ?? 0)
      }
      return pages
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
  using statements = recordStatements()
  await ask()
  const sent = statements.sent().filter(({ text }) => /^\s*(select|update|with)/i.test(text))
  if (sent.length === 0) throw new Error('Nothing was asked')
  return sent
}

function below(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(below)]
}
