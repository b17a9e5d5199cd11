import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallArguments } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'
import { type Row, table } from './rows.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The writing endpoints without a row, and why no call of them can be acknowledged without being stored. */
const withoutRow: Record<string, readonly string[]> = {
  'the call names what it is about and has no other content': [
    'POST /auth/logout',
    'POST /auth/confirm-email',
    'POST /auth/disown-email',
    'POST /auth/confirm-email/resend',
    'POST /auth/friends/request',
    'DELETE /auth/friends/{id}',
    'POST /auth/blocks/{id}',
    'DELETE /auth/blocks/{id}',
    'POST /mails/stop',
    'POST /invitations/stop',
    'POST /invitations/link',
    'DELETE /listings/{id}',
    'POST /listings/{id}/renew',
    'DELETE /listings/{id}/image',
    'DELETE /listings/want-listings/{id}',
    'DELETE /matches/{want_id}/{listing_id}',
    'PUT /matches/{want_id}/{listing_id}',
    'POST /messages/{id}/mark-thread-read',
    'POST /notifications/read',
    'DELETE /push/subscriptions',
    'POST /trades/{id}/accept',
    'POST /trades/{id}/decline',
    'POST /trades/{id}/withdraw',
    'POST /trades/{id}/hand-over',
    'DELETE /thanks/{id}',
  ],
  'each call stores another row': [
    'POST /auth/login',
    'POST /images',
    'POST /listings/want-listings',
    'POST /reports',
    'POST /invitations',
  ],
  'the answer is the same for every address, stored or not': ['POST /auth/request-password-reset'],
  'the first call ends the token or the session, so the next one is refused': [
    'POST /auth/reset-password',
    'DELETE /auth/profile',
  ],
  'nothing is stored': ['POST /matches/wanting'],
}

test('every writing endpoint has a row or a reason', async () => {
  const named = [...table.map(({ endpoint }) => nameOf(endpoint)), ...Object.values(withoutRow).flat()]
  const writing = (await allEndpoints()).filter(({ method }) => method !== 'GET').map(nameOf)
  expect([...new Set(named)].toSorted()).toEqual([...new Set(writing)].toSorted())
})

test.each(table.map((row): [string, Row] => [`${nameOf(row.endpoint)}: ${row.what}`, row]))(
  '%s: a repeated call is the same, and another one is stored or refused',
  async (_, { endpoint, statuses, values: [first, other], prepare }) => {
    const { as, input, stored } = await prepare(world)
    const call = async (value: unknown) => {
      const { status, body } = await as.try(endpoint, ...([await input(value)] as CallArguments<Endpoint>))
      const { detail } = (body ?? {}) as { detail?: string }
      return { status, isExplained: status < 400 || Boolean(detail) }
    }

    expect((await call(first)).status).toBeLessThan(300)
    expect(await stored()).toEqual(first)
    expect(await call(first)).toEqual({ status: statuses[0], isExplained: true })
    expect(await stored()).toEqual(first)
    expect(await call(other)).toEqual({ status: statuses[1], isExplained: true })
    expect(await stored()).toEqual(statuses[1] < 300 ? other : first)
  },
)
