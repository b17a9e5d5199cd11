import { afterAll, expect, test } from 'vitest'
import { logIn, logOut } from '#contract/auth.ts'
import { isOfDesk } from '#contract/desk-roles.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { countInterestedIn } from '#contract/matches.ts'
import { previewSitePage } from '#contract/site-pages.ts'
import type { CallArguments } from '#test/actor.ts'
import { connectTo } from '#test/database.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'
import { checkedTables, createFixture, type Role } from './fixture.ts'
import type { Row } from './row.ts'
import { table } from './table.ts'

const otherTables = checkedTables.filter((name) => name !== 'sessions')

/** Reads with a body, and the call that ends the session itself. */
const noWrites: readonly Endpoint[] = [countInterestedIn, previewSitePage, logOut]
const needsSession = ({ auth }: Endpoint) => auth === 'member' || isOfDesk(auth)
const members = ['owner', 'friend', 'stranger', 'moderator', 'operator'] as const
/** The rows of the table that write, each with a role that may. */
export const writes = table.flatMap((row): [string, Row, Role][] => {
  const { endpoint, target, expected } = row
  if (!needsSession(endpoint) || endpoint.method === 'GET' || noWrites.includes(endpoint)) return []
  const role = members.find((member) => expected[member].status < 300)
  return role ? [[`${endpoint.method} ${endpoint.path}: ${target}`, row, role]] : []
})

/** Defines the tests that a write whose session ends during it changes nothing. */
export async function testEndedSessions(rows: typeof writes) {
  const world = await newWorld()
  afterAll(() => world[Symbol.asyncDispose]())
  const fixture = await createFixture(world)

  test('covers every endpoint of members that writes', async () => {
    const all = (await allEndpoints()).filter(
      (endpoint) => needsSession(endpoint) && endpoint.method !== 'GET' && !noWrites.includes(endpoint),
    )
    expect(new Set(rows.map(([, { endpoint }]) => endpoint))).toEqual(new Set(all))
  })

  test.each(rows)('a write whose session ends concurrently changes nothing: %s', async (_, row, role) => {
    const { endpoint, prepare } = row
    await fixture.reset()
    const { as: caller = fixture.cast[role], ...input } = await prepare(fixture, role)
    await world.jobsDone()
    const login = { username: caller.email, password: caller.password }
    caller.token = (await world.guest().call(logIn, { body: login })).access_token
    const before = await fixture.digest(otherTables)
    await using operator = await connectTo(world.databaseUrl)
    await operator.query('begin')
    // Not committed yet: the call below still finds the session.
    await operator.query('delete from sessions where user_id = $1', [caller.id])

    const response = caller.try(endpoint, ...([input] as CallArguments<typeof endpoint>))
    await expect.poll(() => world.waitingForLocks(), { interval: 10 }).toBe(1)
    await operator.query('commit')
    const { status, body } = await response
    expect([status, body.detail]).toEqual([401, errorMessages.notAuthenticated])
    expect(await fixture.digest(otherTables)).toEqual(before)
    caller.token = (await world.guest().call(logIn, { body: login })).access_token
  })
}
