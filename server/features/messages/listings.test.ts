import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { states } from '#contract/constants.ts'
import { createListing, deleteListing, updateListing } from '#contract/listings.ts'
import { listMessages, messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('a message shows the listing that it is about, by HTTP and by the socket', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id, title } = await ann.call(createListing, { body: { title: 'Kale', price: 2 } })
  using phone = await connectSocket(bob)
  const body = { receiver_id: ann.id, content: 'Still there?', listing_id: id }
  const sent = await bob.call(sendMessage, { body })
  const response = await phone.send('send_message', { ...body, content: 'Hello?' })
  expect(sent).toMatchObject({ listing: { id, title, featured_image: null }, trade_id: null })
  expect(response).toMatchObject({ ok: true, message: { listing: { id, title } } })
  const talk = await ann.call(listMessages, { params: { id: bob.id }, query: {} })
  expect(talk).toEqual([sent, response.ok && response.message])

  await ann.call(updateListing, { params: { id }, body: { is_active: false } })
  const seen = await bob.call(listMessages, { params: { id: ann.id }, query: {} })
  expect(seen.map(({ listing }) => listing)).toEqual([null, null])
})

test('refuses a listing that one of the two can not see', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.befriend(ann, cat)
  const { id } = await cat.call(createListing, { body: { title: 'Kale', price: 2, is_public: false } })
  for (const listing_id of [id, 999_999]) {
    const response = await ann.try(sendMessage, {
      body: { receiver_id: bob.id, content: 'Look', listing_id },
    })
    expect([response.status, response.body.detail]).toEqual([422, messageErrorMessages.listingNotVisible])
  }
  expect(
    (await ann.try(sendMessage, { body: { receiver_id: cat.id, content: 'Nice', listing_id: id } })).status,
  ).toBe(201)
})

test('the same client_id about another listing is another message', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await ann.call(createListing, { body: { title: 'Kale', price: 2 } })
  const body = { receiver_id: ann.id, content: 'Still there?', client_id: randomUUID(), listing_id: id }
  expect((await bob.try(sendMessage, { body })).status).toBe(201)
  expect((await bob.try(sendMessage, { body })).status).toBe(200)
  const { listing_id: _, ...without } = body
  expect((await bob.try(sendMessage, { body: without })).body.code).toBe('client_id_reused')
})

test('the members who have written about a listing, and its owner, hear of each change of it', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const { id } = await ann.call(createListing, { body: { title: 'Kale', price: 2 } })
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Still there?', listing_id: id } })
  await cat.call(sendMessage, { body: { receiver_id: ann.id, content: 'Hello' } })
  using annsPhone = await connectSocket(ann)
  using bobsPhone = await connectSocket(bob)
  using catsPhone = await connectSocket(cat)
  const changes = [
    () => ann.call(updateListing, { params: { id }, body: { price: 3 } }),
    () => ann.call(updateListing, { params: { id }, body: { state_id: states.gone } }),
  ]
  for (const [index, change] of changes.entries()) {
    await change()
    for (const phone of [annsPhone, bobsPhone])
      await expect
        .poll(() => phone.received('listing_changed'))
        .toEqual(Array(index + 1).fill({ listing_id: id }))
  }
  // The screen of the owner leaves a deleted listing by itself.
  await ann.call(deleteListing, { params: { id } })
  await expect.poll(() => bobsPhone.received('listing_changed').length).toBe(3)
  expect(annsPhone.received('listing_changed')).toHaveLength(2)
  expect(catsPhone.received('listing_changed')).toEqual([])
})
