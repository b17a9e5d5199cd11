import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallArguments } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'
import { createFixture, type Role, roles } from './fixture.ts'
import type { Row } from './row.ts'
import { table } from './table.ts'

// All requests use one connection, so that a test can check its state.
const database = {
  url: undefined,
  directUrl: undefined,
  readUrl: undefined,
  pool: 1,
  statementTimeoutMs: 5000,
}
const world = await newWorld({ config: { database } })
afterAll(() => world[Symbol.asyncDispose]())
const fixture = await createFixture(world)

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

test('the table has rows for every endpoint of the contract', async () => {
  const rows = new Set(table.map(({ endpoint }) => nameOf(endpoint)))
  const missing = (await allEndpoints()).map(nameOf).filter((name) => !rows.has(name))
  expect(missing).toEqual([])
})

test.each(table.map((row): [string, Row] => [`${nameOf(row.endpoint)}: ${row.target}`, row]))(
  '%s',
  async (_, { endpoint, prepare, dependsOnRole, expected }) => {
    const replies: Partial<Record<Role, unknown>> = {}
    let prepared: Awaited<ReturnType<typeof prepare>> | undefined
    let before: unknown
    /** Reads and refused calls since the last preparation change no row. */
    async function expectSameRows() {
      if (prepared !== undefined) expect(await fixture.digest(), 'rows').toEqual(before)
    }
    for (const role of roles) {
      const isWrite = expected[role].status < 400 && endpoint.method !== 'GET'
      if (isWrite || dependsOnRole) await expectSameRows()
      if (prepared === undefined || dependsOnRole) {
        await fixture.reset()
        prepared = await prepare(fixture, role)
        before = await fixture.digest()
      }
      const { as = fixture.cast[role], ...input } = prepared
      const call = (input: object) =>
        as.fetch(endpoint, ...([input] as CallArguments<Endpoint>)).then(stableParts)
      const response = await call(input)
      replies[role] = {
        status: response.status,
        detail: detailOf(response),
        scheme: response.headers['www-authenticate'],
      }
      if (isWrite) {
        prepared = undefined
        continue
      }
      // The next role makes the same call on the same rows.
      if (response.status === 404)
        expect(await call(withUnknownIds(input)), `404 for ${role}`).toEqual(response)
    }
    await expectSameRows()
    const expectedReplies = roles.map((role) => {
      const { status, detail = status < 400 ? undefined : expect.any(String) } = expected[role]
      return [role, { status, detail, scheme: status === 401 ? 'Bearer' : undefined }]
    })
    expect(replies).toEqual(Object.fromEntries(expectedReplies))
  },
)

// A pooler in transaction mode gives each transaction another connection.
test('no endpoint and no job has changed the session of its connection', async () => {
  await world.jobsDone()
  const { rows } = await sql`
    select
      array(select name from pg_settings where source = 'session') as settings,
      array(select pg_listening_channels()) as channels,
      array(select objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
      array(select name from pg_cursors where is_holdable) as cursors,
      pg_my_temp_schema() <> 0 as has_temporary_tables,
      (select count(*) from pg_prepared_statements) > 200 as has_run_the_statements`.execute(world.db)

  expect(rows).toEqual([
    {
      settings: [],
      channels: [],
      locks: [],
      cursors: [],
      has_temporary_tables: false,
      has_run_the_statements: true,
    },
  ])
})

/** Returns the detail of a problem, or undefined. */
function detailOf({ status, body }: { status: number; body: string }): unknown {
  return status < 400 ? undefined : JSON.parse(body).detail
}

/** Returns the parts of a response that are the same for equal requests. */
async function stableParts(response: Response) {
  const { date, 'x-request-id': id, ...headers } = Object.fromEntries(response.headers)
  return {
    status: response.status,
    headers,
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

const unknownId = 999_999_999_999

/** Returns the input with all ids replaced by an unknown one. */
function withUnknownIds({ file, ...input }: { file?: Blob }): object {
  const replaced = JSON.parse(JSON.stringify(input), (name, part) =>
    /^id$|_id$/.test(name) && typeof part === 'number' ? unknownId : part,
  )
  return file ? { ...replaced, file } : replaced
}
