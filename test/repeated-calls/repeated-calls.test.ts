import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Reply } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { newWorld } from '#test/world.ts'
import type { Row } from './row.ts'
import { table } from './rows.ts'

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
    'POST /trades/{id}/deny-hand-over',
    'DELETE /thanks/{id}',
    'POST /desk/reports/{id}/take',
    'POST /desk/reports/{id}/release',
    'POST /desk/roles/{id}/revoke',
    'POST /desk/mail/retry',
    'POST /desk/mail/drop',
    'POST /desk/site/restore',
    'POST /desk/registration-requests/{id}/approve',
    // Stores nothing.
    'POST /desk/pages/{name}/preview',
  ],
  'each call stores another row': [
    'POST /auth/login',
    'POST /images',
    // Refused: it names an older version.
    'POST /desk/site/logo',
    'POST /listings/want-listings',
    'POST /invitations',
    'POST /desk/mail/test',
    'POST /desk/site/swap-day',
  ],
  'the answer is the same for every address, stored or not': ['POST /auth/request-password-reset'],
  'the first call ends the token, the session or the account, so the next one is refused': [
    'POST /auth/reset-password',
    'DELETE /auth/profile',
    'POST /desk/members/{id}/delete',
  ],
  'nothing is stored': [
    'POST /matches/wanting',
    'POST /auth/reset-password/account',
    'POST /auth/suspension',
  ],
}

test('every writing endpoint has a row or a reason', async () => {
  const named = [...table.map(({ endpoint }) => nameOf(endpoint)), ...Object.values(withoutRow).flat()]
  const writing = (await allEndpoints()).filter(({ method }) => method !== 'GET').map(nameOf)
  expect([...new Set(named)].toSorted()).toEqual([...new Set(writing)].toSorted())
})

test.each(table.map((row): [string, Row] => [`${nameOf(row.endpoint)}: ${row.what}`, row]))(
  '%s: a repeated call is the same, and another one is stored or refused',
  async (_, { statuses, values: [first, other], prepare }) => {
    const { callFirst, callOther, stored } = await prepare(world)
    const expectStatus = ({ status, body }: Reply<object>, expected: number) => {
      expect({ status, body }).toEqual({
        status: expected,
        body: expected < 400 ? body : expect.objectContaining({ detail: expect.stringMatching(/./) }),
      })
    }

    expect((await callFirst()).status).toBeLessThan(300)
    expect(await stored()).toEqual(first)
    expectStatus(await callFirst(), statuses[0])
    expect(await stored()).toEqual(first)
    expectStatus(await callOther(), statuses[1])
    expect(await stored()).toEqual(statuses[1] < 300 ? other : first)
  },
)
