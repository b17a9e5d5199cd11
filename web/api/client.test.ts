import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createAtom } from '@tanstack/react-store'
import { afterEach, expect, test, vi } from 'vitest'
import { uploadImage } from '#contract/images.ts'
import { countUnreadMessages } from '#contract/messages.ts'
import type { Login } from '#web/login/login-store.ts'
import { call } from './client.ts'
import { createOnlineStatus } from './online-status.ts'
import { ApiClient } from './query-client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

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

/** Starts a server that answers by `respond`, and returns it with a client of it. */
async function clientOf(respond: RequestListener, login: Login = member) {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const onlineStatus = createOnlineStatus()
  const client = new ApiClient({
    fetch: (path, init) => fetch(new URL(String(path), `http://127.0.0.1:${port}`), init),
    login,
    onlineStatus,
  })
  return { client, onlineStatus, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Calls an endpoint of a server that answers by `respond`. Returns the error and the online status after it. */
async function callWith(respond: RequestListener, login: Login = member) {
  await using started = await clientOf(respond, login)
  const { client, onlineStatus } = started
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

test.each([
  [500, 3],
  [403, 1],
])('sends a query whose response has the status %i %i times', async (status, times) => {
  let requests = 0
  await using started = await clientOf((_request, response) => {
    requests += 1
    response.writeHead(status).end()
  })
  const { client } = started
  const query = { queryKey: ['unread'], queryFn: () => call(client, countUnreadMessages), retryDelay: 0 }
  await expect(client.fetchQuery(query)).rejects.toMatchObject({ status })
  expect(requests).toBe(times)
})

test('reports the progress of an upload at most every 50 ms, and its end', async () => {
  vi.useFakeTimers()
  const total = 20
  class Uploads {
    status = 200
    response = new Blob(['{}'])
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    onload = nothing
    onloadend = nothing
    open = nothing
    setRequestHeader = nothing
    getAllResponseHeaders = () => 'Content-Type: application/json'
    send() {
      for (let loaded = 1; loaded <= total; loaded += 1) {
        vi.advanceTimersByTime(10)
        this.upload.onprogress?.({ loaded, total })
      }
      this.onload()
      this.onloadend()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Uploads)
  const client = new ApiClient({ fetch, login: member, onlineStatus: createOnlineStatus() })
  const reported: number[] = []
  const file = new File(['pixels'], 'plums.jpg')
  await call(client, uploadImage, { body: {}, file }, { onProgress: (share) => reported.push(share) })

  expect(reported).toEqual([0.05, 0.3, 0.55, 0.8, 1])
})
