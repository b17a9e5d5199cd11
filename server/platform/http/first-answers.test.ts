import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { noBursts, tokenBuckets } from '#server/platform/token-buckets.ts'
import { createFirstAnswers } from './first-answers.ts'

const token = 'a'.repeat(43)
const authenticate = async (told: string) =>
  told === token ? { id: 3, session: Buffer.alloc(32) } : undefined

const http = fastify()
let asked = 0
http.get('/api/listings', async ({ headers }) => {
  asked += 1
  return { by: headers.authorization }
})
for (const [path, options] of [
  ['/https', { https: true, bursts: noBursts }],
  ['/http', { https: false, bursts: noBursts }],
  ['/limited', { https: true, bursts: tokenBuckets }],
] as const)
  http.get(
    path,
    createFirstAnswers(http, authenticate, { table: [{ path, calls: ['/api/listings'] }], ...options }),
  )
afterAll(() => http.close())

async function visit(url: string, cookie: string): Promise<string> {
  return (await http.inject({ url, headers: { cookie } })).body
}

test.each([
  ['/https', '__Host-login', 'login'],
  ['/http', 'login', '__Host-login'],
])('%s: who comes is known by the cookie %s, and by no other', async (url, right, wrong) => {
  expect(await visit(url, `${right}=${token}`)).toContain(`Bearer ${token}`)
  expect(await visit(url, `theme=dark; ${right}=${token}; x=1`)).toContain(`Bearer ${token}`)
  for (const cookie of [`${wrong}=${token}`, `x${right}=${token}`, `${right}=${'b'.repeat(43)}`, `${right}=`])
    expect(await visit(url, cookie), cookie).toBe('')
})

test('whoever opens page after page asks nothing of the API after a while', async () => {
  const before = asked
  for (let visits = 0; visits < 200; visits += 1) await visit('/limited', `__Host-login=${token}`)
  expect(asked - before).toBeGreaterThanOrEqual(60)
  expect(asked - before).toBeLessThan(190)
})
