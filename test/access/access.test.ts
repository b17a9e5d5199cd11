import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallArguments } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'
import { createFixture, type Role, roles } from './fixture.ts'
import { type Row, table } from './table.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const fixture = await createFixture(world)

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

test('every endpoint of the contract has its rows in the table', async () => {
  const rows = new Set(table.map(({ endpoint }) => nameOf(endpoint)))
  const without = (await allEndpoints()).map(nameOf).filter((name) => !rows.has(name))
  expect(without).toEqual([])
})

test.each(table.map((row): [string, Row] => [`${nameOf(row.endpoint)}: ${row.what}`, row]))(
  '%s',
  async (_, { endpoint, prepare, answers }) => {
    const got: Partial<Record<Role, number>> = {}
    for (const role of roles) {
      await fixture.reset()
      const { as = fixture.cast[role], ...input } = await prepare(fixture, role)
      const ask = (what: object) => as.ask(endpoint, ...([what] as CallArguments<Endpoint>)).then(whatItSays)
      const before = await fixture.kept()
      const answer = await ask(input)
      got[role] = answer.status
      if (answer.status < 400) continue
      expect(await fixture.kept(), `what a refused ${role} leaves`).toEqual(before)
      if (answer.status === 404)
        expect(await ask(elsewhere(input)), `what a ${role} can tell`).toEqual(answer)
    }
    expect(got).toEqual(answers)
  },
)

/** All that an answer says, but for what is another each time. */
async function whatItSays(response: Response) {
  const { date, 'x-request-id': id, ...headers } = Object.fromEntries(response.headers)
  return {
    status: response.status,
    headers,
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

const nobody = 999_999_999_999

/** The same question about what was never there. */
function elsewhere({ file, ...asked }: { file?: Blob }): object {
  const same = JSON.parse(JSON.stringify(asked), (name, part) =>
    /^id$|_id$/.test(name) && typeof part === 'number' ? nobody : part,
  )
  return file ? { ...same, file } : same
}
