import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { logIn } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { members as demoMembers, demoPassword } from '#server/demo/members.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import { Actor } from '#test/actor.ts'
import type { startMailServer } from '#test/mail-server.ts'
import { connectSocket } from '#test/socket-client.ts'
import { type Machine, type RunningNode, step } from './machine.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** The time in which mails and events arrive. */
const timeoutMs = 10_000

/** Checks the machine from outside, over HTTPS, in production mode. Throws on the first failure. */
export async function checkDeployment(machine: Machine, nodes: readonly RunningNode[], mails: MailServer) {
  const [ann, bob] = [new Actor(machine.url), new Actor(machine.url)]
  await checkPages(machine)
  await checkMembers(machine, ann, bob, mails)
  await checkLoginLimits(machine)
  await checkStoppedNode(nodes, bob)
}

async function checkPages({ url, httpUrl }: Machine) {
  await step('plain HTTP redirects pages to HTTPS and refuses API calls', async () => {
    const response = await fetch(`${httpUrl}/listings`, { redirect: 'manual' })
    assert.equal(response.status, 301)
    assert.equal(response.headers.get('location'), `${url}/listings`)
    for (const path of ['/api', '/api/listings', '//api/auth/profile', '/%61pi/listings', '/socket.io/']) {
      const refused = await fetch(httpUrl + path, { redirect: 'manual' })
      assert.equal(refused.status, 403, path)
    }
  })
  await step('the landing page is served with HSTS', async () => {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('strict-transport-security') ?? '', /max-age=\d{7,}/)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })
  await step('metrics, outbox and demo data are not public', async () => {
    for (const path of ['/metrics', '/outbox']) {
      const response = await fetch(url + path, { headers: { accept: 'application/json' } })
      assert.doesNotMatch(await response.text(), /rhubarb_http_request_seconds|Outbox/)
    }
    for (const { email } of demoMembers.slice(0, 3)) {
      const body = { username: email, password: demoPassword }
      assert.equal((await new Actor(url).try(logIn, { body })).status, 401, email)
    }
  })
}

async function checkMembers({ url, nodeUrls }: Machine, ann: Actor, bob: Actor, mails: MailServer) {
  await step('two members register and get mails with links to this site', async () => {
    await ann.join({ username: 'ann' })
    await bob.join({ username: 'bob' })
    assert(
      await waitUntil(() => mails.received.filter(({ text }) => text.includes(url)).length >= 2, timeoutMs),
    )
  })
  await step('a photo of nearly 10 MB is accepted, a larger one is refused with a message', async () => {
    const photo = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
    const post = (bytes: number) =>
      ann.try(createListing, {
        body: { title: 'Rhubarb crowns', type_id: types.giveaway },
        file: photo(bytes),
      })
    // The error that zeros are no photo means that the whole body has arrived.
    assert.equal((await post(9_900_000)).status, 415)
    assert.equal((await post(10_500_000)).status, 413)
  })
  await step('a listing is visible on both nodes', async () => {
    const { id } = await ann.call(createListing, {
      body: { title: 'Rhubarb crowns', type_id: types.giveaway, is_public: true },
    })
    for (const node of nodeUrls) {
      assert.equal((await bob.at(node).call(getListing, { params: { id } })).title, 'Rhubarb crowns')
    }
  })
  await step('messages reach sockets through nginx and across nodes', async () => {
    // nginx distributes connections round-robin, so both nodes get some of four.
    const sockets = await Promise.all([1, 2, 3, 4].map(() => connectSocket(bob)))
    await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Over the fence' } })
    assert(
      await waitUntil(
        () => sockets.every((socket) => socket.received('new_message').length === 1),
        timeoutMs,
      ),
    )
    for (const { socket } of sockets) socket.disconnect()
  })
}

async function checkLoginLimits({ url }: Machine) {
  await step(
    'a forged X-Forwarded-For does not evade the limit of password attempts per account',
    async () => {
      const statuses: number[] = []
      for (let guess = 0; guess < 12; guess += 1) {
        const { status } = await new Actor(url).send('POST', '/api/auth/login', {
          body: new URLSearchParams({
            username: 'whoever@example.com',
            password: `a wrong password ${guess}`,
          }),
          headers: { 'x-forwarded-for': `203.0.113.${guess}` },
        })
        statuses.push(status)
      }
      assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
    },
  )
  await step('a forged X-Forwarded-For does not evade the limit of logins per address', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 101; guess += 1)
      statuses.push(
        await tryLogin('127.0.0.2', url, `whoever${guess}@example.com`, {
          'x-forwarded-for': `203.0.113.${guess}`,
        }),
      )
    assert.deepEqual(statuses, [...Array(100).fill(401), 429])
    assert.equal(await tryLogin('127.0.0.1', url, 'somebody@example.com'), 401)
  })
}

async function checkStoppedNode(nodes: readonly RunningNode[], bob: Actor) {
  await step('all requests succeed while a node is stopped', async () => {
    const [first] = nodes
    assert.ok(first)
    let isOver = false
    const statuses: number[] = []
    const requesting = Promise.all(
      [1, 2, 3, 4].map(async () => {
        while (!isOver) {
          const { status } = await bob.send('GET', '/api/listings?public=true')
          statuses.push(status)
          await sleep(50)
        }
      }),
    )
    await sleep(300)
    await first.stop()
    await sleep(1500)
    isOver = true
    await requesting
    assert.deepEqual([...new Set(statuses)], [200])
    console.log(`    ${statuses.length} requests, all answered`)
  })
}

/** Logs in from one of the addresses of this machine and returns the status. */
async function tryLogin(
  localAddress: string,
  url: string,
  username: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const call = request(`${url}/api/auth/login`, {
    method: 'POST',
    localAddress,
    family: 4,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  call.end(new URLSearchParams({ username, password: 'a wrong password' }).toString())
  const [response]: IncomingMessage[] = await once(call, 'response')
  response?.resume()
  return response?.statusCode ?? 0
}
