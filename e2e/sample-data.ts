import { type CategoryId, categories, states, types } from '#contract/constants.ts'
import type { DeskRole } from '#contract/desk-roles.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import { getInvitationLink } from '#contract/invitations.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { listInterested, listMatches } from '#contract/matches.ts'
import { blockMember } from '#contract/members.ts'
import { sendMessage } from '#contract/messages.ts'
import { updateProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import { acceptTrade, createTrade, handOverTrade, thankForTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import { withDatabase } from './database.ts'
import { type Account, expect, type Member, type World } from './fixtures.ts'
import { photo } from './photos.ts'

/** Members with data on every screen, some with long words. */
export interface SampleData {
  /** A moderator who has listings, wants, friends, a request, conversations, matches, trades, notifications and a blocked member. */
  readonly ann: Member
  /** Ann's friend. */
  readonly bob: Account
  /** Has sent Ann a friend request. */
  readonly cat: Account
  /** A listing of Ann's that a member wants, and one of Bob's. */
  readonly annsListing: number
  readonly bobsListing: number
  /** A listing of Ann's that Bob has requested, and the id of that trade. */
  readonly requestedListing: number
  readonly tradeId: number
}

const longWord = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'

export async function createSampleData(world: World): Promise<SampleData> {
  const [ann, bob, cat, dan] = await Promise.all([
    world.member('ann_of_the_orchard'),
    world.account('bob'),
    world.account('cat'),
    world.account('dan'),
  ])
  await Promise.all([
    ann.actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } }),
    bob.actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97202' } }),
    befriend(ann, bob),
    cat.actor.call(requestFriend, { body: { friend_id: ann.actor.id } }),
    ann.actor.call(blockMember, { params: { id: dan.actor.id } }),
    want(ann, 'Skirret'),
    want(ann, 'Cardoon seeds', categories.seeds),
    want(bob, 'Salsify'),
  ])
  const { buffer, mimeType } = await photo({ width: 400, height: 400 })
  const file = new File([new Uint8Array(buffer)], 'photo.jpg', { type: mimeType })
  const [annsListing, bobsListing, requestedListing, chives, tomatoes] = await Promise.all([
    list(ann, { title: 'Salsify roots', type_id: types.exchange, category_id: categories.produce }, file),
    list(bob, {
      title: 'Skirret roots',
      type_id: types.exchange,
      category_id: categories.produce,
      description: `By the bucket.\n\nFrom ${longWord}: https://example.com/${'roots'.repeat(20)}`,
    }),
    list(ann, { title: `Seeds of the rose of ${longWord}`, price: 12_345.5, category_id: categories.seeds }),
    list(ann, { title: 'Chives by the pot', type_id: types.giveaway, category_id: categories.plants }),
    list(bob, { title: 'Tomatoes', price: 4, category_id: categories.produce }),
    list(ann, { title: 'Strawberry runners', type_id: types.giveaway, is_active: false }),
  ])
  await ann.actor.call(updateListing, { params: { id: annsListing }, body: { state_id: states.reserved } })
  for (const [from, to, content] of [
    [bob, ann, 'Are the roots still there?'],
    [ann, bob, `They are. ${longWord}`],
    [bob, ann, 'I come by after six.'],
    [cat, ann, 'Good morning'],
  ] as const)
    await say(from, to, content)
  const { id: tradeId } = await bob.actor.call(createTrade, {
    body: { listing_id: requestedListing, note: `For my grandmother in ${longWord}` },
  })
  await completeTrade(bob, ann, chives)
  const promised = await ann.actor.call(createTrade, { body: { listing_id: tomatoes } })
  await bob.actor.call(acceptTrade, { params: { id: promised.id } })
  await ann.actor.call(report, { body: { listing_id: bobsListing, reason: `By the bucket. ${longWord}` } })
  await makeModerator(ann, 'operator')
  await ageFriendRequest(ann)
  await expect.poll(() => ann.actor.call(listMatches, { query: {} })).toHaveLength(1)
  await expect
    .poll(() => ann.actor.call(listInterested, { params: { id: annsListing }, query: {} }))
    .toHaveLength(1)
  return { ann, bob, cat, annsListing, bobsListing, requestedListing, tradeId }
}

/** Gives a member a role at the desk, as `npm run admin -- grant` does without the start of a process. */
export function makeModerator({ actor }: Account, role: DeskRole = 'moderator') {
  return withDatabase((client) =>
    client.query('insert into desk_roles (user_id, role) values ($1, $2)', [actor.id, role]),
  )
}

/** Makes the notification of Ann's friend request a month old, so that its time has a date. */
function ageFriendRequest({ actor }: Account) {
  return withDatabase((client) =>
    client.query(
      `update notifications set created_at = created_at - interval '1 month' where user_id = $1 and kind = 'friend_request'`,
      [actor.id],
    ),
  )
}

/** Requests a listing, hands it over and thanks the giver. */
async function completeTrade(taker: Account, giver: Account, listing_id: number) {
  const { id } = await taker.actor.call(createTrade, { body: { listing_id } })
  const params = { id }
  await giver.actor.call(acceptTrade, { params })
  await giver.actor.call(handOverTrade, { params, body: {} })
  await taker.actor.call(thankForTrade, { params, body: { text: `Lovely chives. ${longWord}` } })
}

/** Returns the parameter `invite` of a new member's invitation link. */
export async function createInvite(world: World): Promise<string> {
  const { actor } = await world.account('inviter')
  await actor.call(updateProfile, { body: { city: longWord, state: 'OR' } })
  const { url } = await actor.call(getInvitationLink)
  return new URL(url).searchParams.get('invite') ?? ''
}

/** Makes two members friends. */
export async function befriend(one: Account, other: Account) {
  const { request_id } = await one.actor.call(requestFriend, { body: { friend_id: other.actor.id } })
  await other.actor.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
}

export function say(from: Account, to: Account, content: string) {
  return from.actor.call(sendMessage, { body: { receiver_id: to.actor.id, content } })
}

function want({ actor }: Account, title: string, category_id: CategoryId = categories.produce) {
  return actor.call(createWant, { body: { title, category_id } })
}

async function list({ actor }: Account, body: CallInput<typeof createListing>['body'], file?: File) {
  const { id } = await actor.call(createListing, { body: { ...body, is_public: false }, file })
  return id
}
