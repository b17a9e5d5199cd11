// The requests of members by kind, sent to all nodes in turn at given rates.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { logIn } from '#contract/auth.ts'
import { apiBase } from '#contract/constants.ts'
import { uploadImage } from '#contract/images.ts'
import { createListing } from '#contract/listings.ts'
import { Actor } from '#test/actor.ts'
import { listWorkloads } from '../list-workloads.ts'
import type { Market } from '../market.ts'
import { rareCrop } from '../matching/database.ts'
import { openSocketIo, type Wire } from '../messages/wire.ts'
import type { ServerProcess } from '../server.ts'
import { randomPage } from '../workloads.ts'
import { type Kind, kinds } from './assumptions.ts'

/** A member with a session. */
export interface Caller {
  readonly id: number
  readonly token: string
}

/** The number of requests, of their errors and of their response bytes by kind, and the latencies in milliseconds. */
export interface Driven {
  readonly sent: Record<Kind, number>
  readonly bytes: Record<Kind, number>
  readonly latencies: number[]
}

export interface Traffic {
  /** Sends requests at rates per second, which are read anew all the time. Throws if one fails. */
  drive(seconds: number, rates: () => Partial<Record<Kind, number>>): Promise<Driven>
  /** Lets this share of new listings match `matchingWants` wants, the others none. */
  matchingShare: number
  close(): void
}

interface Call {
  readonly path: string
  readonly token?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const senders = 200
const tickMs = 4
/** More open requests mean that the nodes don't keep up. */
const maxOpen = 3000
const photoFile = join(import.meta.dirname, '..', '..', 'server', 'demo', 'photos', 'apples-in-a-crate.webp')

/** Returns the paths of reads that any member can send. */
function readPaths(market: Market) {
  const random = (count: number) => Math.floor(Math.random() * count)
  return {
    page: () => randomPage(market),
    search: () => listWorkloads['q, a common word']?.path(market) ?? '',
    // Of twenty consecutive listings, all but the last three are public.
    listing: () => `${apiBase}/listings/${20 * random(market.listings / 20) + 1 + random(17)}`,
    'thread list': () => `${apiBase}/messages/threads`,
    'unread count': () => `${apiBase}/messages/unread-count`,
  } satisfies Partial<Record<Kind, () => string>>
}

/** Opens the sockets of senders, registers a member who logs in, and prepares a photo. */
export async function openTraffic(
  nodes: readonly ServerProcess[],
  market: Market,
  callers: readonly Caller[],
): Promise<Traffic> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let nth = 0
  const oneOf = <Item>(items: readonly Item[]): Item => {
    nth += 1
    const item = items[nth % items.length]
    if (item === undefined) throw new Error('There are no nodes or callers')
    return item
  }
  const login = await newLogin(oneOf(nodes))
  const photo = await photoForm()
  const wires = await openWires(nodes, callers.slice(0, senders))
  const reads = readPaths(market)
  const as = (path: string): Call => ({ path, token: oneOf(callers).token })
  const call = (next: () => Call) => () => send(agent, oneOf(nodes), next())
  const traffic = { matchingShare: 0 }

  const calls: Record<Kind, () => Promise<number>> = {
    'rendered page': call(() => ({
      path: '/listings',
      headers: { cookie: `login=${oneOf(callers).token}` },
    })),
    socket: async () => {
      const silent = { acknowledged() {}, received() {} }
      const wire = await openSocketIo(oneOf(nodes).port, oneOf(callers).token, silent)
      wire.end()
      return 0
    },
    page: call(() => as(reads.page())),
    search: call(() => as(reads.search())),
    listing: call(() => as(reads.listing())),
    'thread list': call(() => as(reads['thread list']())),
    'unread count': call(() => as(reads['unread count']())),
    conversation: call(() => {
      const { id, token } = oneOf(callers)
      return { path: `${apiBase}/messages/${id + 1}`, token }
    }),
    message: () => oneOf(wires)(),
    'new listing': call(() => newListing(oneOf(callers), Math.random() < traffic.matchingShare)),
    photo: call(() => ({ ...as(apiBase + uploadImage.path), method: 'POST', ...photo })),
    login: call(() => login),
  }
  return Object.assign(traffic, {
    drive: (seconds: number, rates: () => Partial<Record<Kind, number>>) => drive(calls, seconds, rates),
    close() {
      agent.destroy()
      for (const wire of wires) wire.end()
    },
  })
}

/** Sends a request as a browser does, reads the response and returns its size in bytes. Throws unless it succeeds. */
async function send(
  agent: Agent,
  { port }: ServerProcess,
  { path, token, method = 'GET', headers, body }: Call,
): Promise<number> {
  const outgoing = request({
    agent,
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: {
      'accept-encoding': 'gzip, deflate, br, zstd',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  })
  outgoing.end(body)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  let size = 0
  for await (const part of response ?? []) size += part.length
  const status = response?.statusCode ?? 0
  if (status < 200 || status > 201) throw new Error(`${method} ${path} answered ${status}`)
  return size
}

/** Sends the calls at their rates until the time is over, and waits for all responses. */
async function drive(
  calls: Record<Kind, () => Promise<number>>,
  seconds: number,
  rates: () => Partial<Record<Kind, number>>,
): Promise<Driven> {
  const zeros = () => Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  const driven: Driven = { sent: zeros(), bytes: zeros(), latencies: [] }
  const owed = kinds.map((kind) => ({ kind, requests: Math.random() }))
  let open = 0
  let failure: unknown
  async function start(kind: Kind) {
    const sent = performance.now()
    open += 1
    driven.sent[kind] += 1
    try {
      const bytes = await calls[kind]()
      driven.bytes[kind] += bytes
      driven.latencies.push(performance.now() - sent)
    } catch (error) {
      failure ??= error
    }
    open -= 1
  }

  let last = performance.now()
  const end = last + seconds * 1000
  while (performance.now() < end) {
    await sleep(tickMs)
    const now = performance.now()
    const current = rates()
    for (const debt of owed) {
      debt.requests += ((current[debt.kind] ?? 0) * (now - last)) / 1000
      for (; debt.requests >= 1; debt.requests -= 1) void start(debt.kind)
    }
    last = now
    if (open > maxOpen) throw new Error(`${open} requests are open: the nodes don't keep up`)
    if (failure) throw failure
  }
  while (open > 0) await sleep(tickMs)
  if (failure) throw failure
  return driven
}

async function newLogin(node: ServerProcess): Promise<Call> {
  const actor = new Actor(node.url)
  await actor.join({ username: `capacity_${Date.now()}` })
  return {
    path: apiBase + logIn.path,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ username: actor.email, password: actor.password })),
  }
}

function newListing({ token }: Caller, matches: boolean): Call {
  const body = {
    title: matches ? `Fresh ${rareCrop}, picked today` : 'A pile of paper bags',
    description: 'Come and get some before noon.',
    type_id: 3,
  }
  return {
    path: apiBase + createListing.path,
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Returns a form with a photo of twelve megapixels, as a phone sends it. */
async function photoForm(): Promise<Pick<Call, 'headers' | 'body'>> {
  const jpeg = await sharp(photoFile).resize(4000, 3000, { fit: 'cover' }).jpeg({ quality: 85 }).toBuffer()
  const form = new FormData()
  form.append(uploadImage.file, new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), 'photo.jpg')
  const encoded = new Response(form)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  }
}

/** Opens a socket of each sender. Each function sends a message to the next sender and resolves when it is acknowledged. */
async function openWires(nodes: readonly ServerProcess[], members: readonly Caller[]) {
  const opened: { wire: Wire; waiting: PromiseWithResolvers<number>[] }[] = []
  for (const [index, { token }] of members.entries()) {
    const waiting: PromiseWithResolvers<number>[] = []
    const wire = await openSocketIo(nodes[index % nodes.length]?.port ?? 0, token, {
      acknowledged(refusal) {
        if (refusal === undefined) waiting.shift()?.resolve(0)
        else waiting.shift()?.reject(new Error(`A message was refused: ${refusal}`))
      },
      received() {},
    })
    opened.push({ wire, waiting })
  }
  let number = 0
  return opened.map(({ wire, waiting }, index) => {
    const receiver = members[(index + 1) % members.length]?.id ?? 0
    const sendNext = () => {
      number += 1
      const acknowledged = Promise.withResolvers<number>()
      waiting.push(acknowledged)
      wire.send(number, receiver, `${number} Could I come by on Saturday morning?`)
      return acknowledged.promise
    }
    return Object.assign(sendNext, { end: wire.end })
  })
}
