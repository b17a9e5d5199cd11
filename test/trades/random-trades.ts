import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, getListing, relistListing, updateListing } from '#contract/listings.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  declineTrade,
  denyHandOver,
  getTrade,
  handOverTrade,
  listTrades,
  withdrawTrade,
} from '#contract/trades.ts'
import { endExpiredListings } from '#server/features/listings/jobs.ts'
import { advanceTrades } from '#server/features/trades/job-kinds.ts'
import type { Actor } from '#test/actor.ts'
import type { World } from '#test/world.ts'

const members = 4
const listingsOfEach = 2

const who = fc.nat(members - 1)
const listing = fc.nat(members * listingsOfEach - 1)
/** The index of the trade, counted from the newest. */
const which = fc.nat(7)
/** The amount of a request; undefined for one. */
const amount = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('request' as const), who, listing, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('swap' as const), who, listing, amount, offer: listing }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ring' as const),
      who,
      size: fc.constantFrom(3, 4),
      turn: fc.nat(15),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'accept' as const,
        'decline' as const,
        'withdraw' as const,
        'hand over' as const,
        'deny' as const,
      ),
      who,
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stay silent' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), listing }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('relist' as const), listing }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark as gone' as const), listing }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set the quantity' as const),
      listing,
      quantity: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hide' as const, 'show' as const), listing }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), who, whom: who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pickup' as const), who, which, accepts: fc.boolean() }),
  },
)
type RandomStep = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

const endpoints = {
  accept: acceptTrade,
  decline: declineTrade,
  withdraw: withdrawTrade,
  deny: denyHandOver,
} as const

const actions = {
  accept: 'accept',
  decline: 'decline',
  withdraw: 'withdraw',
  deny: 'deny_hand_over',
  'hand over': 'hand_over',
} as const

interface RandomRuns {
  readonly runs: number
  /** The minimum and maximum numbers of steps of a run. */
  readonly steps: readonly [min: number, max: number]
  /** The number of steps that are taken at once. */
  readonly parallel?: number
  /** Takes the same steps in each run. By default others. */
  readonly seed?: number
}

/**
 * Takes random steps through the API, and checks after each step, or after those at once, that trades and listings agree. A failure
 * names the seed, the broken rule, the last steps with their results, and the errors that the server has logged.
 */
export async function takeRandomSteps(
  world: World,
  { runs, steps, parallel = 1, ...fixed }: RandomRuns,
): Promise<void> {
  const [minLength, maxLength] = steps
  const property = fc.asyncProperty(fc.array(anyStep, { minLength, maxLength }), (steps) =>
    runWithTrace(world, steps, parallel),
  )
  // Steps depend on the time they take, so a shorter run may fail for another reason.
  const { failed, seed, counterexamplePath, errorInstance } = await fc.check(property, {
    numRuns: runs,
    endOnFailure: true,
    ...fixed,
  })
  if (!failed) return
  const reason = errorInstance instanceof Error ? errorInstance.message : 'A run was interrupted'
  throw new Error(`${reason}\nSeed ${seed}, path ${counterexamplePath}`, { cause: errorInstance })
}

/** The number of steps and of log lines that a failure shows. */
const shownAtFailure = 20

async function runWithTrace(world: World, steps: readonly RandomStep[], parallel: number): Promise<void> {
  const trace: string[] = []
  const logged = world.logged.length
  try {
    await runSteps(world, steps, parallel, trace)
  } catch (error) {
    const last = (lines: readonly string[]) => lines.slice(-shownAtFailure).join('\n')
    const errors = world.logged.slice(logged).filter((line) => /"level":[56]0/.test(line))
    throw new Error(
      `${error instanceof Error ? error.message : error}\nThe last steps:\n${last(trace)}\nErrors of the server:\n${last(errors)}`,
      { cause: error },
    )
  }
}

async function runSteps(world: World, steps: readonly RandomStep[], parallel: number, trace: string[]) {
  const actors = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const listings: number[] = []
  for (const actor of actors) {
    for (let nth = 0; nth < listingsOfEach; nth += 1) {
      // Of each second one there are several.
      const body = { title: `Seeds ${nth}`, type_id: types.exchange, quantity: nth % 2 === 1 ? 4 : null }
      listings.push((await actor.call(createListing, { body })).id)
    }
  }
  const town: Town = { actors, listings, ids: [], notified: new Map(), isParallel: parallel > 1 }
  for (let first = 0; first < steps.length; first += parallel) {
    const results = await Promise.allSettled(
      steps.slice(first, first + parallel).map(async (step, index) => {
        const at = `${first + index}: ${JSON.stringify(step)}`
        trace.push(`${at} begins`)
        const result = await takeStep(world, step, town).catch((error: unknown) => {
          trace.push(`${at} fails`)
          throw error
        })
        trace.push(`${at}: ${result ?? 'done'}`)
      }),
    )
    const failure = results.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
    await checkInvariants(world, town)
    await backdateTrades(world, town)
  }
  const { ids } = town
  await lapseTrades(world, ids)
  await checkInvariants(world, town)
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from trades where expires_at is not null and id = any (${ids}::bigint[])`.execute(
    world.db,
  )
  expect(rows, 'no trade without an end').toEqual([{ open: 0 }])
}

/** Makes all trades a day older, because a member can request the same listing only a few times within a day. */
async function backdateTrades(world: World, { ids }: Town): Promise<void> {
  await sql`update trades set created_at = created_at - interval '1 day' where id = any (${ids}::bigint[])`.execute(
    world.db,
  )
}

interface Town {
  readonly actors: readonly Actor[]
  readonly listings: readonly number[]
  readonly ids: number[]
  /** The last notification of each subject. */
  readonly notified: Map<string, number>
  /** True if other steps are taken at the same time, so that the result of a step is unknown. */
  readonly isParallel: boolean
}

/** Returns the result for the trace. */
async function takeStep(world: World, step: RandomStep, town: Town): Promise<string | undefined> {
  if (step.do === 'stay silent') {
    await confirmInSilence(world, town.ids.at(-1 - step.which) ?? 0)
    return undefined
  }
  if (step.do === 'lapse') {
    const id = town.ids.at(-1 - step.which)
    if (id !== undefined) await lapseTrades(world, [id])
    return `trade ${id}`
  }
  if (step.do === 'request' || step.do === 'swap' || step.do === 'ring') return propose(step, town)
  if (step.do === 'block') return block(step, town)
  if (step.do === 'pickup') return changeRandomPickup(step, town)
  if ('which' in step) return respond(step, town)
  return changeListing(world, step, town)
}

type StepOf<Do extends RandomStep['do']> = Extract<RandomStep, { do: Do }>

async function propose(step: StepOf<'request' | 'swap' | 'ring'>, { actors, listings, ids }: Town) {
  const response = await actors[step.who]?.try(createTrade, { body: bodyOf(step, listings) })
  expect(response?.status, 'no 5xx').toBeLessThan(500)
  if (response?.status === 201) ids.push(response.body.id)
  return `${response?.status}, trade ${response?.body.id}`
}

async function respond(
  step: StepOf<'accept' | 'decline' | 'withdraw' | 'hand over' | 'deny'>,
  { actors, ids, isParallel }: Town,
) {
  const [actor, id] = [actors[step.who], ids.at(-1 - step.which)]
  if (!actor || id === undefined) return undefined
  const before = await actor.try(getTrade, { params: { id } })
  // The leg that the member gives, every second time.
  const given = before.body.legs?.find(({ giver_id }) => giver_id === actor.id)
  const listing_id = step.which % 2 === 1 ? given?.listing.id : undefined
  const call = () =>
    step.do === 'hand over'
      ? actor.try(handOverTrade, { params: { id }, body: { listing_id } })
      : actor.try(endpoints[step.do], { params: { id } })
  const response = await call()
  expect(response.status, 'no 5xx').toBeLessThan(500)
  const result = `${response.status}, trade ${id}`
  if (isParallel) return result
  const action = actions[step.do]
  if (before.status === 200 && before.body.allowed.includes(action))
    expect(response.status, 'what is allowed can be done').toBe(200)
  if (response.status !== 200) return result
  const again = await call()
  const { state, updated_at } = response.body
  expect([again.status, again.body.state, again.body.updated_at], 'a repeated step changes nothing').toEqual([
    200,
    state,
    updated_at,
  ])
  return result
}

async function changeRandomPickup(
  { who, which, accepts }: StepOf<'pickup'>,
  { actors, ids, isParallel }: Town,
) {
  const [actor, id] = [actors[who], ids.at(-1 - which)]
  if (!actor || id === undefined) return undefined
  const start = Date.now() + (which + 2) * 3_600_000
  const span = {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 1_800_000).toISOString(),
  }
  const before = await actor.try(getTrade, { params: { id } })
  const response = await actor.try(changePickup, { params: { id }, body: accepts ? { accept: true } : span })
  expect(response.status, 'no 5xx').toBeLessThan(500)
  const action = accepts ? 'accept_pickup' : 'propose_pickup'
  if (!isParallel && before.status === 200 && before.body.allowed.includes(action))
    expect(response.status, 'what is allowed can be done').toBe(200)
  return `${response.status}, trade ${id}`
}

/** Blocks a member, which ends all that is open between the two, and removes the block. */
async function block({ who, whom }: StepOf<'block'>, { actors, isParallel }: Town) {
  const [actor, other] = [actors[who], actors[whom]]
  if (!actor || !other || actor === other) return undefined
  const params = { id: other.id }
  expect((await actor.try(blockMember, { params })).status).toBe(204)
  if (!isParallel)
    expect(await actor.call(listTrades, { query: { with: other.id, state: 'open' } })).toEqual([])
  const { status } = await actor.try(unblockMember, { params })
  // Another step may have removed the block.
  expect(status === 204 || (isParallel && status === 404), 'the block is removed').toBe(true)
  return undefined
}

async function changeListing(
  world: World,
  step: StepOf<'end' | 'relist' | 'mark as gone' | 'set the quantity' | 'hide' | 'show'>,
  { actors, listings, isParallel }: Town,
) {
  const id = listings[step.listing] ?? 0
  const owner = actors[Math.floor(step.listing / listingsOfEach)]
  if (!owner) return undefined
  const edit = async (body: CallInput<typeof updateListing>['body']) =>
    expect((await owner.try(updateListing, { params: { id }, body })).status, 'no 5xx').toBeLessThan(500)
  if (step.do === 'end') await endListing(world, id)
  else if (step.do === 'mark as gone') await edit({ state_id: states.gone })
  else if (step.do === 'set the quantity') {
    if ((await owner.call(getListing, { params: { id } })).quantity !== null)
      await edit({ quantity: step.quantity })
  } else if (step.do === 'hide') await edit({ is_active: false })
  else if (step.do === 'show') await edit({ is_active: true })
  // Relisting makes a gone listing available, which would contradict `checkInvariants`.
  else if (!isParallel && (await owner.call(getListing, { params: { id } })).state_id !== states.gone)
    await owner.call(relistListing, { params: { id } })
  return `listing ${id}`
}

function bodyOf(step: StepOf<'request' | 'swap' | 'ring'>, listings: readonly number[]) {
  const listing_id = 'listing' in step ? (listings[step.listing] ?? 0) : 0
  if (step.do === 'request') return { listing_id, quantity: step.amount }
  if (step.do === 'swap')
    return { listing_id, quantity: step.amount, offer_listing_id: listings[step.offer] ?? 0 }
  return {
    ring: Array.from({ length: step.size }, (_, place) => {
      const member = (step.who + place) % members
      return listings[member * listingsOfEach + ((step.turn >> place) & 1)] ?? 0
    }),
  }
}

async function endListing(world: World, listing: number): Promise<void> {
  // The job skips listings that other jobs have locked.
  await world.jobsDone()
  await sql`update listings set expires_at = now() - interval '1 second' where id = ${listing}`.execute(
    world.db,
  )
  await world.runJob(endExpiredListings)
}

async function confirmInSilence(world: World, id: number): Promise<void> {
  await sql`update trade_legs set confirm_at = now() - interval '1 second'
    where trade_id = ${id} and confirm_at is not null`.execute(world.db)
  await world.runJob(advanceTrades)
}

async function lapseTrades(world: World, ids: readonly number[]): Promise<void> {
  await sql`update trades set expires_at = now() - interval '1 second'
    where id = any (${ids}::bigint[]) and expires_at is not null`.execute(world.db)
  await world.runJob(advanceTrades)
}

/** How many of a listing are promised or were handed over. */
const takenOf = sql.raw(`select coalesce(sum(leg.quantity), 0) from trade_legs leg
  where leg.listing_id = l.id and (leg.status = 'promised' or leg.handed_over)`)

/** Fails if trades, listings and notifications contradict each other. */
async function checkInvariants(world: World, { actors, listings, notified }: Town): Promise<void> {
  const { rows } = await sql<{ problem: string; id: number }>`
    select 'promised twice' as problem, listing_id as id from trade_legs
    where status = 'promised' and quantity is null and listing_id = any (${listings}::bigint[])
    group by listing_id having count(*) > 1
    union all
    select 'more promised and given than there are', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.quantity < (${takenOf})
    union all
    select 'left is not what is neither promised nor given', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id <> 3 and l.quantity_left <> l.quantity - (${takenOf})
    union all
    select 'left of a listing that is gone', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id = 3 and l.quantity_left <> 0
    union all
    select 'promised but not reserved', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id <> case when l.quantity_left > 0 then 1 else 2 end
      and exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'promised')
    union all
    select 'reserved but not promised', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id = 2
      and not exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'promised')
    union all
    select 'handed over in a closed trade but not gone', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id <> 3 and l.quantity is null
      and exists (select from trade_legs leg where leg.listing_id = l.id and leg.handed_over and leg.status = 'closed')
    union all
    select 'gone but requested', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.state_id = 3
      and exists (select from trade_legs leg where leg.listing_id = l.id and leg.status <> 'closed')
    union all
    select 'ended but requested', l.id from listings l
    where l.id = any (${listings}::bigint[]) and l.ended_at is not null
      and exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'open')
    union all
    select 'hidden but requested', l.id from listings l
    where l.id = any (${listings}::bigint[]) and not l.is_active
      and exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'open')
    union all
    select 'the status of a leg differs from the state of its trade', t.id from trades t join trade_legs leg on leg.trade_id = t.id
    where leg.listing_id = any (${listings}::bigint[])
      and leg.status <> case t.state when 'requested' then 'open' when 'accepted' then 'promised' else 'closed' end
    union all
    select 'asks the giver of a leg that is not promised, or handed over', leg.trade_id from trade_legs leg
    where leg.listing_id = any (${listings}::bigint[]) and leg.confirm_at is not null
      and (leg.status <> 'promised' or leg.handed_over)
    union all
    select 'done before everything is handed over', t.id from trades t join trade_legs leg on leg.trade_id = t.id
    where leg.listing_id = any (${listings}::bigint[]) and t.state = 'done' and not leg.handed_over
    union all
    select 'accepted before everybody agreed', t.id from trades t join trade_legs leg on leg.trade_id = t.id
    where leg.listing_id = any (${listings}::bigint[]) and t.state in ('accepted', 'done') and not leg.accepted`.execute(
    world.db,
  )
  expect(rows).toEqual([])

  const { rows: notifications } = await sql<{ id: number; subject: string }>`
    select id, concat_ws(' ', user_id, from_id, kind, trade_id) as subject from notifications
    where user_id = any (${actors.map(({ id }) => id)}::bigint[]) and kind not in ('trade_in_line', 'trade_next', 'trade_received', 'trade_not_received', 'pickup_proposed', 'pickup_accepted')`.execute(
    world.db,
  )
  for (const { id, subject } of notifications) {
    expect(notified.get(subject) ?? id, `notified once: ${subject}`).toBe(id)
    notified.set(subject, id)
  }
}
