import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { apiBase } from '#contract/constants.ts'
import { isOfDesk } from '#contract/desk-roles.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { SocketClient } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

// Pages do accept the cookie.
const world = await newWorld({ config: { ssr: true } })
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
const cookie = `login=${ann.token}; __Host-login=${ann.token}`

test('API endpoints do not accept the cookie of pages', async () => {
  const guest = world.guest()
  const endpoints = (await allEndpoints()).filter(({ auth }) => auth === 'member' || isOfDesk(auth))
  expect(endpoints).toContain(getProfile)
  for (const { method, path, auth } of endpoints) {
    const { status } = await guest.send(method, apiBase + path.replaceAll(/\{\w+\}/g, '1'), {
      headers: { cookie },
    })
    expect(status, `${method} ${path}`).toBe(isOfDesk(auth) ? 404 : 401)
  }
})

test('sockets do not accept the cookie of pages', async () => {
  const { server } = ann
  using socket = new SocketClient({ server, token: undefined }, { extraHeaders: { cookie } })
  await expect(socket.connected()).rejects.toThrow('Not authenticated')
})
