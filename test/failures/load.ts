import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, types } from '#contract/constants.ts'
import { createListing, deleteListing } from '#contract/listings.ts'
import { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { SocketClient } from '#test/socket-client.ts'

export interface LoadReport {
  readonly requests: number
  /** The failures, one a line. */
  readonly failed: readonly string[]
  /** The client ids of acknowledged messages. */
  readonly acknowledged: readonly string[]
  /** The number of reconnects of sockets. */
  readonly reconnects: number
  /** The number of reused connections that ended during a request. */
  readonly retries: number
}

export interface LoadOptions {
  /** The pause between two requests of a member. */
  readonly pauseMs: number
  /** The number of requests between two photos. Without it no photos are posted. */
  readonly photoEvery?: number
  /** True if members also open server-rendered pages, which needs the build of the web client. */
  readonly pages?: boolean
}

/** A running load: its target, its options, and what it has counted so far. */
interface Load extends LoadOptions {
  readonly url: string
  readonly photo: Blob
  isOver: boolean
  requests: number
  reconnects: number
  retries: number
  readonly failed: string[]
  readonly acknowledged: string[]
}

const readPaths = ['/auth/profile', '/listings?public=true', '/messages', '/listings/want-listings']
const acknowledgeTimeoutMs = 3000

/** Starts steady load: pairs of members read, send each other messages by socket and HTTP, and post photos. */
export async function startSteadyLoad(url: string, members: readonly Actor[], options: LoadOptions) {
  const load: Load = {
    ...options,
    url,
    photo: await photo(),
    isOver: false,
    requests: 0,
    reconnects: 0,
    retries: 0,
    failed: [],
    acknowledged: [],
  }
  const pairs = members.map((member, index) => ({
    member: member.at(url),
    partner: members[index ^ 1] ?? member,
  }))
  // In turns, a balancer between two nodes would give all browsing to one and all chats to the other.
  const work = [
    ...pairs.map(({ member, partner }) => browse(load, member, partner)),
    ...pairs.map(({ member, partner }) => chat(load, member, partner)),
  ]
  return {
    async stop(): Promise<LoadReport> {
      load.isOver = true
      await Promise.all(work)
      return load
    },
    /** The failures so far. */
    failed: load.failed,
  }
}

/** Sends requests on one keep-alive connection. */
async function browse(load: Load, member: Actor, partner: Actor) {
  const { pauseMs, photoEvery, pages = false } = load
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; !load.isOver; turn += 1) {
    const path = readPaths[turn % readPaths.length] ?? ''
    await count(load, path, () => send(load, agent, member, 'GET', apiBase + path))
    if (pages) await count(load, 'a page', () => send(load, agent, member, 'GET', '/listings'))
    const message = { receiver_id: partner.id, content: `By HTTP ${turn}`, client_id: randomUUID() }
    const body = JSON.stringify(message)
    if (turn % 5 === 0)
      await count(load, 'POST /messages', () =>
        send(load, agent, member, 'POST', `${apiBase}/messages`, body),
      )
    if (photoEvery !== undefined && turn % photoEvery === 0) await postPhoto(load, member)
    await sleep(pauseMs)
  }
  agent.destroy()
}

async function postPhoto(load: Load, member: Actor) {
  const body = { title: 'Kale', type_id: types.giveaway }
  const posted = await member.try(createListing, { body, file: load.photo })
  await count(load, 'POST /listings', async () => posted.status)
  await count(load, 'DELETE /listings', async () => {
    const removed = await member.try(deleteListing, { params: { id: posted.body.id } })
    return removed.status
  })
}

/** Counts a request, and as a failure if it throws or returns an error status. */
async function count(load: Load, name: string, work: () => Promise<number>) {
  load.requests += 1
  try {
    const status = await work()
    if (status >= 400) load.failed.push(`${name}: ${status}`)
  } catch (error) {
    load.failed.push(`${name}: ${error}`)
  }
}

function send(
  load: Load,
  agent: Agent,
  member: Actor,
  method: string,
  path: string,
  body?: string,
): Promise<number> {
  const headers = {
    authorization: `Bearer ${member.token}`,
    cookie: `login=${member.token}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sent = request(load.url + path, { agent, method, headers }, (response) => {
    response.resume()
    response.on('end', () => resolve(response.statusCode ?? 0))
    response.on('error', reject)
  })
  sent.on('error', (error) => {
    if (!sent.reusedSocket) return reject(error)
    // The server may close a keep-alive connection when a request is on its way. Every client retries on a new one.
    load.retries += 1
    resolve(send(load, agent, member, method, path, body))
  })
  sent.end(body)
  return promise
}

/** Sends messages and resends each with the same id until it is acknowledged, like the web client. */
async function chat(load: Load, member: Actor, partner: Actor) {
  using client = new SocketClient(member, {
    reconnection: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  })
  await client.connected()
  client.socket.on('connect', () => {
    load.reconnects += 1
  })
  for (let turn = 0; !load.isOver; turn += 1) {
    const client_id = randomUUID()
    const payload = { receiver_id: partner.id, content: `By socket ${turn}`, client_id }
    for (;;) {
      const response = await client.socket
        .timeout(acknowledgeTimeoutMs)
        .emitWithAck('send_message', payload)
        .catch(() => undefined)
      if (response?.ok) break
      if (response) load.failed.push(`send_message: ${JSON.stringify(response)}`)
    }
    load.acknowledged.push(client_id)
    await sleep(load.pauseMs)
  }
}

/** Registers members at a node. */
export async function newMembers(url: string, names: readonly string[]): Promise<Actor[]> {
  return Promise.all(
    names.map(async (username) => {
      const member = new Actor(url)
      await member.join({ username })
      return member
    }),
  )
}
