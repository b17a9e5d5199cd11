import { afterAll, describe, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import {
  createListing,
  deleteListing,
  getListing,
  type Listing,
  listingMessages,
  updateListing,
} from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import {
  acceptTrade,
  createTrade,
  declineTrade,
  getTrade,
  handOverTrade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const offer = (owner: Actor, quantity: number | null, type_id: Listing['type_id'] = types.giveaway) =>
  owner.call(createListing, {
    body: { title: 'Radishes', type_id, quantity, unit: quantity === null ? null : 'bunches' },
  })
const ask = async (member: Actor, { id }: Listing, quantity?: number) =>
  (await member.call(createTrade, { body: { listing_id: id, quantity } })).id
const accept = (member: Actor, id: number) => member.try(acceptTrade, { params: { id } })
const give = (member: Actor, id: number) => member.call(handOverTrade, { params: { id }, body: {} })
const nowOf = async (member: Actor, { id }: Listing) => {
  const { quantity_left, state_id } = await member.call(getListing, { params: { id } })
  return [quantity_left, state_id]
}
const kindsOf = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).map(({ kind }) => kind)

test('a request names an amount, and accepting promises it while the rest stays listed', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const radishes = await offer(ann, 5)
  const id = await ask(bob, radishes, 3)
  const [leg] = (await ann.call(getTrade, { params: { id } })).legs
  expect([leg?.quantity, leg?.unit]).toEqual([3, 'bunches'])

  await accept(ann, id)
  expect(await nowOf(cat, radishes)).toEqual([2, states.available])
  const listed = await cat.call(listListings, { query: { user_id: ann.id } })
  expect(listed.map(({ quantity_left }) => quantity_left)).toEqual([2])

  const last = await ask(cat, radishes, 2)
  await accept(ann, last)
  expect(await nowOf(cat, radishes)).toEqual([0, states.reserved])
  await give(ann, id)
  expect(await nowOf(cat, radishes)).toEqual([0, states.reserved])
  await give(ann, last)
  expect(await nowOf(ann, radishes)).toEqual([0, states.gone])
})

test('a request without an amount is for one', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const radishes = await offer(ann, 5)

  await accept(ann, await ask(bob, radishes))
  expect(await nowOf(ann, radishes)).toEqual([4, states.available])
})

test('a request can not name more than is left', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const radishes = await offer(ann, 5)
  await accept(ann, await ask(bob, radishes, 2))
  const refused = async (quantity: number) => {
    const { status, body } = await cat.try(createTrade, { body: { listing_id: radishes.id, quantity } })
    return [status, body.errors?.[0]?.message]
  }

  expect(await refused(4)).toEqual([422, tradeMessages.notSoMany])
  expect(await refused(0)).toEqual([422, listingMessages.quantityOutside])
  expect(await refused(1.5)).toEqual([422, listingMessages.quantityOutside])
  await ask(cat, radishes, 3)
})

test('a request for a listing that is given as a whole can not name several', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const whole = await offer(ann, null)

  const { status, body } = await bob.try(createTrade, { body: { listing_id: whole.id, quantity: 2 } })
  expect([status, body.detail]).toEqual([422, tradeMessages.givenAsWhole])
  const id = await ask(bob, whole, 1)
  expect((await bob.call(getTrade, { params: { id } })).legs[0]?.quantity).toBeNull()
})

test('what is all promised can be waited for, and only then do those who wait hear of it', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const radishes = await offer(ann, 2)
  const [first, second] = [await ask(bob, radishes, 1), await ask(cat, radishes, 1)]
  const position = async () => (await cat.call(getTrade, { params: { id: second } })).legs[0]?.position
  expect(await position()).toBe(2)

  await accept(ann, first)
  expect([await kindsOf(cat), await position()]).toEqual([[], 1])
  const other = (await world.uniqueMembers('dan'))[0]
  await accept(ann, await ask(other, radishes, 1))
  expect([await kindsOf(cat), await position()]).toEqual([['trade_in_line'], 2])
  expect((await accept(ann, second)).status).toBe(409)

  await bob.call(withdrawTrade, { params: { id: first } })
  expect(await kindsOf(ann)).toContain('trade_next')
  expect((await accept(ann, second)).status).toBe(200)
})

test('accepting more than is left is refused and allowed again when some is free', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const radishes = await offer(ann, 4)
  const [three, two] = [await ask(bob, radishes, 3), await ask(cat, radishes, 2)]
  await accept(ann, three)

  const { status, body } = await accept(ann, two)
  expect([status, body.detail]).toEqual([409, tradeMessages.notEnough])
  const allowed = async () => (await ann.call(getTrade, { params: { id: two } })).allowed
  expect(await allowed()).not.toContain('accept')
  await ann.call(withdrawTrade, { params: { id: three } })
  expect(await nowOf(ann, radishes)).toEqual([4, states.available])
  expect(await allowed()).toContain('accept')
  expect(await kindsOf(ann)).toContain('trade_next')
})

test('accepts at the same moment never promise more than there is', async () => {
  const [ann, ...others] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan', 'eve')
  const radishes = await offer(ann, 5)
  const requests: number[] = []
  for (const member of others) requests.push(await ask(member, radishes, 2))

  const statuses = await Promise.all(requests.map(async (id) => (await accept(ann, id)).status))
  expect(statuses.toSorted()).toEqual([200, 200, 409, 409])
  expect(await nowOf(ann, radishes)).toEqual([1, states.available])
})

test('when all is handed over, the listing is gone and the other requests end', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const radishes = await offer(ann, 2)
  const [all, one] = [await ask(bob, radishes, 2), await ask(cat, radishes, 1)]
  await accept(ann, all)
  await give(ann, all)

  expect(await nowOf(ann, radishes)).toEqual([0, states.gone])
  expect((await cat.call(getTrade, { params: { id: one } })).state).not.toBe('requested')
})

test('a swap moves the amount that is asked for and one of what is offered', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [radishes, leeks] = [await offer(ann, 5, types.exchange), await offer(bob, 3, types.exchange)]
  const { id, legs } = await bob.call(createTrade, {
    body: { listing_id: radishes.id, offer_listing_id: leeks.id, quantity: 2 },
  })
  expect(legs.map(({ quantity }) => quantity)).toEqual([2, 1])

  await accept(ann, id)
  expect([await nowOf(ann, radishes), await nowOf(bob, leeks)]).toEqual([
    [3, states.available],
    [2, states.available],
  ])
  await bob.call(withdrawTrade, { params: { id } })
  expect([await nowOf(ann, radishes), await nowOf(bob, leeks)]).toEqual([
    [5, states.available],
    [3, states.available],
  ])
})

test('the same request is repeated, and one for another amount refused', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const radishes = await offer(ann, 5)
  const id = await ask(bob, radishes, 2)
  const again = (quantity?: number) => bob.try(createTrade, { body: { listing_id: radishes.id, quantity } })

  expect([(await again(2)).status, (await again()).body.id, (await again(3)).status]).toEqual([200, id, 409])
})

describe('while some of it is promised, the owner', () => {
  async function promised() {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const radishes = await offer(ann, 5)
    const id = await ask(bob, radishes, 3)
    await accept(ann, id)
    const edit = (body: Partial<Pick<Listing, 'quantity' | 'state_id' | 'title'>>) =>
      ann.try(updateListing, { params: { id: radishes.id }, body })
    return { ann, bob, radishes, id, edit }
  }

  test('changes how many are left', async () => {
    const { ann, radishes, edit } = await promised()
    expect((await edit({ quantity: 10 })).body.quantity_left).toBe(7)
    expect((await edit({ title: 'Red radishes' })).status).toBe(200)
    expect((await edit({ quantity: 3 })).status).toBe(200)
    expect(await nowOf(ann, radishes)).toEqual([0, states.reserved])
    expect((await edit({ quantity: 4 })).status).toBe(200)
    expect(await nowOf(ann, radishes)).toEqual([1, states.available])
  })

  test('can not have fewer than are promised', async () => {
    const { edit } = await promised()
    const { status, body } = await edit({ quantity: 2 })
    expect([status, body.detail]).toEqual([422, listingMessages.quantityTaken])
  })

  test('can not remove the quantity or mark the listing as gone', async () => {
    const { ann, radishes, edit } = await promised()
    for (const change of [{ quantity: null }, { state_id: states.gone }]) {
      const { status, body } = await edit(change)
      expect([status, body.detail]).toEqual([409, tradeMessages.listingPromised])
    }
    expect(await nowOf(ann, radishes)).toEqual([2, states.available])
  })

  test('may lower the quantity to what was handed over, and the listing is gone', async () => {
    const { ann, radishes, id, edit } = await promised()
    await give(ann, id)
    expect((await edit({ quantity: 3 })).status).toBe(200)
    expect(await nowOf(ann, radishes)).toEqual([0, states.gone])
  })

  test('deletes the listing, which ends the promise', async () => {
    const { ann, bob, radishes, id } = await promised()
    await ann.call(deleteListing, { params: { id: radishes.id } })
    expect((await bob.call(getTrade, { params: { id } })).state).toBe('withdrawn')
  })
})

test('a listing can not get a quantity while it is promised as a whole', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const whole = await offer(ann, null)
  await accept(ann, await ask(bob, whole))

  const { status, body } = await ann.try(updateListing, { params: { id: whole.id }, body: { quantity: 4 } })
  expect([status, body.detail]).toEqual([409, tradeMessages.listingPromised])
})

test('a request for a whole listing that gets a quantity is for one of it, and the other way round for all', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [whole, counted] = [await offer(ann, null), await offer(ann, 5)]
  const [one, all] = [await ask(bob, whole), await ask(bob, counted, 3)]
  await ann.call(updateListing, { params: { id: whole.id }, body: { quantity: 4 } })
  await ann.call(updateListing, { params: { id: counted.id }, body: { quantity: null } })

  await accept(ann, one)
  await accept(ann, all)
  expect([await nowOf(ann, whole), await nowOf(ann, counted)]).toEqual([
    [3, states.available],
    [null, states.reserved],
  ])
})

test('a declined request leaves all', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const radishes = await offer(ann, 5)
  await ann.call(declineTrade, { params: { id: await ask(bob, radishes, 5) } })
  expect(await nowOf(ann, radishes)).toEqual([5, states.available])
})
