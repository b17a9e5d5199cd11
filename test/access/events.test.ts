import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { actOnMember } from '#contract/desk-members.ts'
import { removeFriend, requestFriend } from '#contract/friends.ts'
import { uploadImage } from '#contract/images.ts'
import { updateListing } from '#contract/listings.ts'
import { markThreadRead, sendMessage } from '#contract/messages.ts'
import { type ClientEvents, clientEvents, type ServerEvents, serverEvents } from '#contract/realtime.ts'
import { createTrade } from '#contract/trades.ts'
import { photo } from '#test/pictures.ts'
import { connectSocket, SocketClient } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'
import { createFixture, type Fixture, type Role, roles } from './fixture.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const fixture = await createFixture(world)
const { cast, neighbor } = fixture
const ownersPhoto = await cast.owner.call(uploadImage, { body: {}, file: await photo() })
beforeEach(() => fixture.reset())

const members = [
  'stranger',
  'formerFriend',
  'friend',
  'owner',
  'blocked',
  'moderator',
  'operator',
] as const satisfies Role[]
type OfRelation = Exclude<(typeof members)[number], 'moderator' | 'operator'>
/** Adds the statuses of those with a role at the desk, who are strangers. */
const asStrangers = (statuses: Record<OfRelation, number>) => ({
  ...statuses,
  moderator: statuses.stranger,
  operator: statuses.stranger,
})

test.each(['guest', 'suspended'] as const)('refuses a socket of a %s', async (role) => {
  using socket = new SocketClient(cast[role])
  await expect(socket.connected()).rejects.toThrow('Not authenticated')
})

/** The statuses of each client event by role; 200 is success. Every client event must be listed. */
const events: Record<
  keyof ClientEvents,
  [target: string, payload: object, expectedStatuses: Record<OfRelation, number>][]
> = {
  send_message: [
    [
      'to the owner',
      { receiver_id: cast.owner.id, content: 'Rhubarb?' },
      { stranger: 200, formerFriend: 200, friend: 200, owner: 422, blocked: 403 },
    ],
    [
      'with a photo of the owner',
      { receiver_id: neighbor.id, content: '', image_ids: [ownersPhoto.id] },
      { stranger: 422, formerFriend: 422, friend: 422, owner: 200, blocked: 422 },
    ],
    [
      'to a suspended member',
      { receiver_id: cast.suspended.id, content: 'Rhubarb?' },
      { stranger: 404, formerFriend: 404, friend: 404, owner: 404, blocked: 404 },
    ],
    [
      'to an unknown member',
      { receiver_id: 999_999_999_999, content: 'Rhubarb?' },
      { stranger: 404, formerFriend: 404, friend: 404, owner: 404, blocked: 404 },
    ],
  ],
}

describe.each(Object.entries(events))('%s', (event, rows) => {
  test.each(rows)('%s', async (_, payload, expectedStatuses) => {
    const statuses: Record<string, number> = {}
    for (const role of members) {
      using socket = await connectSocket(cast[role])
      const response = await socket.sendAnything(event, payload)
      statuses[role] = response.ok ? 200 : response.status
    }
    expect(statuses).toEqual(asStrangers(expectedStatuses))
  })
})

const requestToOwner = () => neighbor.call(requestFriend, { body: { friend_id: cast.owner.id } })
const messageToOwner = (client_id?: string) =>
  neighbor.call(sendMessage, { body: { receiver_id: cast.owner.id, content: 'Rhubarb?', client_id } })
const clientId = '5f1d7c7c-6c5e-4c3f-9a52-0f8f4a2f7b11'

/** The cause of each server event, which only the owner may receive. Every server event must be listed. */
const causes: Record<keyof ServerEvents, (fixture: Fixture) => Promise<unknown>> = {
  new_message: () => messageToOwner(),
  thread_read: async () => {
    await messageToOwner()
    await cast.owner.call(markThreadRead, { params: { id: neighbor.id } })
  },
  conversation_changed: async ({ cast, extra }) => {
    const spammer = await extra()
    await spammer.call(sendMessage, { body: { receiver_id: cast.owner.id, content: 'Buy!' } })
    for (const action of ['suspend', 'withdraw'] as const)
      await cast.operator.call(actOnMember, {
        params: { id: spammer.id },
        body: { action, rule: 'spam', reason: 'Advertising' },
      })
  },
  notification: requestToOwner,
  friends_changed: async () => {
    await requestToOwner()
    await neighbor.call(removeFriend, { params: { id: cast.owner.id } })
  },
  listing_changed: async ({ listing }) => {
    const { id } = await listing()
    await cast.owner.call(updateListing, { params: { id }, body: { title: 'Late rhubarb' } })
  },
  trade_changed: async ({ listing }) => {
    const { id } = await listing()
    await neighbor.call(createTrade, { body: { listing_id: id } })
  },
  // A message that is sent again may have been stored without being published.
  missed: async () => {
    await messageToOwner(clientId)
    await messageToOwner(clientId)
  },
}

test.each(Object.entries(causes))('%s is published to the owner only', async (name, cause) => {
  const event = name as keyof ServerEvents
  await using stack = new AsyncDisposableStack()
  const clients = await Promise.all(
    members.map(async (role) => ({ role, socket: stack.use(await connectSocket(cast[role])) })),
  )
  await cause(fixture)
  // A job publishes some events.
  const owner = clients.find(({ role }) => role === 'owner')
  await expect.poll(() => owner?.socket.received(event).some(isNoMarker)).toBe(true)
  // Events arrive in order, so all earlier ones have arrived when this one has.
  world.publish(
    members.map((role) => cast[role].id),
    'friends_changed',
    { user_id: markerId },
  )
  for (const { socket } of clients)
    await expect
      .poll(() => socket.received('friends_changed').some(({ user_id }) => user_id === markerId))
      .toBe(true)

  const receivers = clients
    .filter(({ socket }) => socket.received(event).some(isNoMarker))
    .map(({ role }) => role)
  expect(receivers).toEqual(['owner'])
})

const markerId = 999_999_999_999
const isNoMarker = (payload: object) => !('user_id' in payload && payload.user_id === markerId)

test('covers every event of the contract for every role', () => {
  expect(Object.keys(events)).toEqual(Object.keys(clientEvents))
  expect(Object.keys(causes).sort()).toEqual(Object.keys(serverEvents).sort())
  expect([...members, 'guest', 'suspended'].sort()).toEqual([...roles].sort())
})
