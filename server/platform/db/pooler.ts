import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { OperatorError } from '#server/platform/errors.ts'

/** Checks that the pooler applies the settings and keeps prepared statements of clients apart. Throws OperatorError. */
export async function checkPooler(pool: pg.Pool, settings: Readonly<Record<string, string>>): Promise<void> {
  const client = await pool.connect()
  try {
    const names = Object.keys(settings)
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [names],
    )
    const actual = new Map(rows.map(({ name, setting }) => [name, setting]))
    const wrong = names.filter((name) => actual.get(name) !== settings[name])
    if (wrong.length > 0)
      throw new OperatorError(
        `The pooler of DATABASE_URL does not set ${wrong.join(', ')}. Add this to the database in pgbouncer.ini: ${connectQuery(settings)}`,
      )
    if (await seesNameOfClient(client))
      throw new OperatorError(
        'The pooler of DATABASE_URL does not track prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements=500 in pgbouncer.ini.',
      )
  } finally {
    client.release()
  }
}

function connectQuery(settings: Readonly<Record<string, string>>): string {
  const statements = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`)
  return `connect_query='${statements.join('; ')}'`
}

/** Returns whether PostgreSQL sees the client's name of a prepared statement. A pooler that tracks statements renames them. */
async function seesNameOfClient(client: pg.PoolClient): Promise<boolean> {
  const name = `pooler-check-${randomUUID()}`
  await client.query('begin')
  const { rows } = await client.query<{ found: boolean }>({
    name,
    text: 'select exists (select from pg_prepared_statements where name = $1) as found',
    values: [name],
  })
  await client.query('commit')
  return rows[0]?.found !== false
}
