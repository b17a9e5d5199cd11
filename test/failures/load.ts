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
  /** The acknowledged messages. */
  readonly acknowledged: readonly string[]
  /** The number of reconnects of sockets. */
  readonly moves: number
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

const readPaths = ['/auth/profile', '/listings?public=true', '/messages', '/listings/want-listings']
const answerWithinMs = 3000

/** Starts steady load: pairs of members read, send each other messages by socket and HTTP, and post photos. */
export async function steadyLoad(
  url: string,
  members: readonly Actor[],
  { pauseMs, photoEvery, pages = false }: LoadOptions,
) {
  let isOver = false
  let requests = 0
  let moves = 0
  let retries = 0
  const failed: string[] = []
  const acknowledged: string[] = []
  const picture = await photo()

  /** Sends requests on one keep-alive connection. */
  async function browse(member: Actor, partner: Actor) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = 0; !isOver; turn += 1) {
      const path = readPaths[turn % readPaths.length] ?? ''
      await count(path, () => send(agent, member, 'GET', apiBase + path))
      if (pages) await count('a page', () => send(agent, member, 'GET', '/listings'))
      const message = { receiver_id: partner.id, content: `By HTTP ${turn}`, client_id: randomUUID() }
      const body = JSON.stringify(message)
      if (turn % 5 === 0)
        await count('POST /messages', () => send(agent, member, 'POST', `${apiBase}/messages`, body))
      if (photoEvery !== undefined && turn % photoEvery === 0) await postPhoto(member)
      await sleep(pauseMs)
    }
    agent.destroy()
  }

  async function postPhoto(member: Actor) {
    const body = { title: 'Kale', type_id: types.giveaway }
    const posted = await member.try(createListing, { body, file: picture })
    await count('POST /listings', async () => posted.status)
    await count('DELETE /listings', async () => {
      const removed = await member.try(deleteListing, { params: { id: posted.body.id } })
      return removed.status
    })
  }

  async function count(name: string, work: () => Promise<number>) {
    requests += 1
    try {
      const status = await work()
      if (status >= 400) failed.push(`${name}: ${status}`)
    } catch (error) {
      failed.push(`${name}: ${error}`)
    }
  }

  function send(agent: Agent, member: Actor, method: string, path: string, body?: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${member.token}`,
      cookie: `login=${member.token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    sent.on('error', (error) => {
      if (!sent.reusedSocket) return reject(error)
      // The server may close a keep-alive connection when a request is on its way. Every client retries on a new one.
      retries += 1
      resolve(send(agent, member, method, path, body))
    })
    sent.end(body)
    return promise
  }

  /** Sends messages and resends each with the same id until it is acknowledged, like the web client. */
  async function talk(member: Actor, partner: Actor) {
    using client = new SocketClient(member.at(url), {
      reconnection: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 200,
    })
    await client.connected()
    client.socket.on('connect', () => {
      moves += 1
    })
    for (let turn = 0; !isOver; turn += 1) {
      const client_id = randomUUID()
      const payload = { receiver_id: partner.id, content: `By socket ${turn}`, client_id }
      for (;;) {
        const response = await client.socket
          .timeout(answerWithinMs)
          .emitWithAck('send_message', payload)
          .catch(() => undefined)
        if (response?.ok) break
        if (response) failed.push(`send_message: ${JSON.stringify(response)}`)
      }
      acknowledged.push(client_id)
      await sleep(pauseMs)
    }
  }

  const work = members.flatMap((member, index) => {
    const partner = members[index ^ 1]
    return partner ? [browse(member.at(url), partner), talk(member, partner)] : []
  })
  return {
    async stop(): Promise<LoadReport> {
      isOver = true
      await Promise.all(work)
      return { requests, failed, acknowledged, moves, retries }
    },
    /** The failures so far. */
    failed,
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
