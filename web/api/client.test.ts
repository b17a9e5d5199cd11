import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createAtom } from '@tanstack/react-store'
import { expect, test } from 'vitest'
import { countUnreadMessages } from '#contract/messages.ts'
import type { Login } from '#web/login/login-store.ts'
import { call } from './client.ts'
import { createOnlineStatus } from './online-status.ts'
import { ApiClient } from './query-client.ts'

const nothing = () => {}
const guest: Login = {
  state: createAtom({ login: null }),
  get: () => null,
  store: nothing,
  rename: nothing,
  remove: nothing,
  removeRefused: nothing,
  syncCookie: nothing,
}

const member: Login = {
  ...guest,
  get: () => ({ token: 'token', user: { id: 1, username: 'ann' }, expiresAt: Date.now() + 60_000 }),
}

/** Calls an endpoint of a server that answers by `respond`. Returns the error and the online status after it. */
async function callWith(respond: RequestListener, login: Login = member) {
  await using server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const onlineStatus = createOnlineStatus()
  const client = new ApiClient({
    fetch: (path, init) => fetch(new URL(String(path), `http://127.0.0.1:${port}`), init),
    login,
    onlineStatus,
  })
  const error = await call(client, countUnreadMessages).catch((failure: unknown) => failure)
  return { error, isOnline: onlineStatus.get() }
}

test('treats a response that breaks off as no response', async () => {
  const result = await callWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
    response.write('{"unread":', () => response.destroy())
  })
  expect(result).toMatchObject({ error: { kind: 'offline', status: 0 }, isOnline: false })
})

test('treats a page instead of data as an error of the server', async () => {
  const result = await callWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Log in to the network</p>')
  })
  expect(result).toMatchObject({ error: { kind: 'answered', status: 200 }, isOnline: true })
})

test('sends no request of a member without a login', async () => {
  const paths: (string | undefined)[] = []
  const result = await callWith(({ url }, response) => {
    paths.push(url)
    response.end()
  }, guest)
  expect(result).toMatchObject({ error: { kind: 'answered', status: 401 } })
  expect(paths).toEqual([])
})
