import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { acceptTrade, createTrade, handOverTrade } from '#contract/trades.ts'
import { Actor, type CallArguments } from '#test/actor.ts'
import { saysTryAgain } from '#test/fault-injection/try-again.ts'

const pauseMs = 100
const timeoutMs = 10_000
/** A repeated step of a trade that has succeeded gets a conflict. */
const conflict = 409

/** Returns the status of a request, or 0 without a response. Adds every response that isn't a success or "try again" to `violations`. */
async function statusOf<E extends Endpoint>(
  violations: string[],
  member: Actor,
  endpoint: E,
  ...input: CallArguments<E>
) {
  const reply = await Promise.race([
    member.try(endpoint, ...input).catch(() => undefined),
    sleep(timeoutMs, undefined, { ref: false }),
  ])
  if (!reply) return { status: 0, id: 0 }
  const { status } = reply
  const body = reply.body as { id?: number; detail?: string }
  if (status >= 400 && status !== conflict && !saysTryAgain({ status, detail: body.detail }))
    violations.push(`${endpoint.method} ${endpoint.path}: ${status} ${body.detail}`)
  return { status, id: body.id ?? 0 }
}

/** Opens a giver and a taker who trade one listing after the other, from the request to the handover. */
export async function openTraders(nodeUrl: string, name: string) {
  const [giver, taker] = [new Actor(nodeUrl), new Actor(nodeUrl)]
  await giver.join({ username: `giver_${name}` })
  await taker.join({ username: `taker_${name}` })
  const violations: string[] = []
  /** The acknowledged listings and the acknowledged states of trades. */
  const listings = new Set<number>()
  const trades = new Map<number, Progress>()

  /** Repeats a step until it succeeds. Returns false if that happened without an acknowledgement. */
  async function repeatUntilDone<E extends Endpoint>(member: Actor, endpoint: E, ...input: CallArguments<E>) {
    for (;;) {
      const { status } = await statusOf(violations, member, endpoint, ...input)
      if (status === 200) return true
      if (status === conflict || status === 404) return false
      await sleep(pauseMs)
    }
  }

  async function tradeOnce() {
    const body = { title: 'Beans to give', type_id: types.giveaway, is_public: true }
    const listing = await statusOf(violations, giver, createListing, { body })
    if (listing.status !== 201) return
    listings.add(listing.id)
    const requested = await statusOf(violations, taker, createTrade, { body: { listing_id: listing.id } })
    if (requested.status !== 201) return
    const params = { id: requested.id }
    trades.set(requested.id, 'requested')
    if (await repeatUntilDone(giver, acceptTrade, { params })) trades.set(requested.id, 'accepted')
    if (await repeatUntilDone(giver, handOverTrade, { params, body: {} })) trades.set(requested.id, 'done')
  }

  return {
    async tradeWhile(isActive: () => boolean) {
      while (isActive()) {
        await tradeOnce()
        await sleep(pauseMs)
      }
    },
    /** Returns the wrong responses, and what was acknowledged but is not in the database. Forgets what it has checked. */
    async check(databaseUrl: string): Promise<string[]> {
      try {
        return [...violations.splice(0), ...(await listLost(databaseUrl, listings, trades))]
      } finally {
        listings.clear()
        trades.clear()
      }
    },
    /** The number of acknowledged writes that are not checked yet. */
    acknowledged: () => listings.size + trades.size,
  }
}

type Progress = 'requested' | 'accepted' | 'done'
const progress: readonly string[] = ['requested', 'accepted', 'done'] satisfies Progress[]

/** Returns the acknowledged listings and states of trades that are not in the database. */
async function listLost(
  databaseUrl: string,
  listings: ReadonlySet<number>,
  trades: ReadonlyMap<number, Progress>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const stored = await client.query<{ id: number }>(
      'select id::int from listings where id = any($1::int[])',
      [[...listings]],
    )
    const states = await client.query<{ id: number; state: string }>(
      'select id::int, state from trades where id = any($1::int[])',
      [[...trades.keys()]],
    )
    const storedIds = new Set(stored.rows.map(({ id }) => id))
    const lost = [...listings]
      .filter((id) => !storedIds.has(id))
      .map((id) => `listing ${id} was acknowledged and is lost`)
    const stateOf = new Map(states.rows.map(({ id, state }) => [id, state]))
    for (const [id, state] of trades) {
      const later = progress.slice(progress.indexOf(state))
      if (!later.includes(stateOf.get(id) ?? ''))
        lost.push(`trade ${id} was acknowledged as ${state} and is ${stateOf.get(id) ?? 'lost'}`)
    }
    return lost
  } finally {
    await client.end()
  }
}

/** Opens a member whose writes measure how long the service is away. */
export async function openProbe(nodeUrl: string, name: string) {
  const [ann, bob] = [new Actor(nodeUrl), new Actor(nodeUrl)]
  await ann.join({ username: `probe_${name}` })
  await bob.join({ username: `probed_${name}` })
  const violations: string[] = []
  return {
    violations,
    /** Writes until a write that began after the call succeeds following a failure. Returns the milliseconds until then. */
    async timeUntilBack(): Promise<number> {
      const start = performance.now()
      let hasFailed = false
      for (;;) {
        const body = { receiver_id: bob.id, content: 'Still there?' }
        const { status } = await statusOf(violations, ann, sendMessage, { body })
        const elapsed = performance.now() - start
        if (status !== 201) hasFailed = true
        else if (hasFailed || elapsed > noticedWithinMs) return elapsed
        await sleep(pauseMs)
      }
    },
  }
}

/** A fault that stops no write for so long does not stop any. */
const noticedWithinMs = 10_000
