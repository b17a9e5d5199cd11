import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn, uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { requestFriend } from '#contract/friends.ts'
import { getInvitationLink, previewInvitation, replaceInvitationLink } from '#contract/invitations.ts'
import { createListing } from '#contract/listings.ts'
import { previewMatchMail } from '#contract/matches.ts'
import { blockMember } from '#contract/members.ts'
import { markThreadRead, sendMessage } from '#contract/messages.ts'
import { deleteProfile, getPreferences, updatePreferences, updateProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import { createTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [bob, carol] = await world.members('bob', 'carol')
const other = await world.node()
afterAll(() => other[Symbol.asyncDispose]())
let newcomers = 0

/** The password of every test member. */
const password = 'plum-crumble-42'
/** Calls that store the member's id, or read or change the member's own data. */
const calls: [Endpoint, object][] = [
  [createListing, { body: { title: 'Kale', type_id: types.giveaway } }],
  [report, { body: { user_id: bob.id, reason: 'Rude' } }],
  [blockMember, { params: { id: bob.id } }],
  [updatePreferences, { body: { mail_unread: false } }],
  [getPreferences, {}],
  [getProfile, {}],
  [updateProfile, { body: { city: 'Astoria' } }],
  [updateProfile, { body: { password: 'walls-of-jericho-3' } }],
  [updateProfile, { body: { email: 'elsewhere@example.com' } }],
  [uploadProfileImage, { body: { city: 'Astoria' } }],
  [deleteProfile, { body: { password } }],
  [getInvitationLink, {}],
  [replaceInvitationLink, {}],
  [previewInvitation, {}],
  [previewMatchMail, {}],
  [createWant, { body: { title: 'Kale' } }],
]

async function newcomer(): Promise<Actor> {
  newcomers += 1
  return world.member({ username: `newcomer_${newcomers}` })
}

async function secondLogin(member: Actor): Promise<Actor> {
  const phone = member.at(world.url)
  const { access_token } = await world
    .guest()
    .call(logIn, { body: { username: member.email, password: member.password } })
  phone.token = access_token
  await phone.call(getProfile)
  return phone
}

const namedCalls = calls.map(([endpoint, input]): [string, Endpoint, object] => [
  `${endpoint.method} ${endpoint.path} ${JSON.stringify(input)}`,
  endpoint,
  input,
])

async function statusOf(actor: Actor, endpoint: Endpoint, input: object): Promise<number> {
  const { status } = await actor.try(endpoint, {
    body: undefined,
    params: undefined,
    query: undefined,
    ...input,
  })
  return status
}

test('rejects calls of a deleted member', async () => {
  const ann = await newcomer()
  const logins = [ann, await secondLogin(ann)]
  await ann.call(deleteProfile, { body: { password: ann.password } })
  for (const [name, endpoint, input] of namedCalls)
    for (const login of logins) expect([name, await statusOf(login, endpoint, input)]).toEqual([name, 401])
})

test.each(shortOrLong(namedCalls.slice(0, 3), namedCalls))(
  'rejects a deleted member on a node that was not notified: %s',
  async (_, endpoint, input) => {
    const ann = await newcomer()
    const elsewhere = other.as(ann)
    await elsewhere.call(getProfile)
    // Deleting the row does not notify the nodes, so the other node still has the session in its cache.
    await world.db.deleteFrom('users').where('id', '=', ann.id).execute()
    expect(await statusOf(elsewhere, endpoint, input)).toBe(401)
  },
)

const rounds = shortOrLong(2, 5)

test('calls during the deletion of the account succeed or return 401 or 404', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const ann = await newcomer()
    const elsewhere = other.as(ann)
    await elsewhere.call(getProfile)
    const gone = ann.call(deleteProfile, { body: { password: ann.password } })
    const statuses = []
    for (let wave = 0; wave < 6; wave += 1) {
      statuses.push(
        ...(await Promise.all(
          calls
            // Leaves out the change of the password, which would make the deletion fail.
            .slice(0, 7)
            .flatMap(([endpoint, input]) => [
              statusOf(ann, endpoint, input),
              statusOf(elsewhere, endpoint, input),
            ]),
        )),
      )
    }
    await gone
    // The account may be deleted between the post and the read.
    const refusals = [401, 404]
    expect(statuses.filter((status) => status >= 400 && !refusals.includes(status))).toEqual([])
  }
})

test('calls about a member or listing that is being deleted succeed or return 404', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const ann = await newcomer()
    const { id } = await ann.call(createListing, { body: { title: 'Kale', type_id: types.giveaway } })
    const gone = ann.call(deleteProfile, { body: { password: ann.password } })
    const statuses = []
    for (let wave = 0; wave < 8; wave += 1) {
      statuses.push(
        ...(await Promise.all([
          statusOf(bob, blockMember, { params: { id: ann.id } }),
          statusOf(bob, report, { body: { user_id: ann.id, reason: 'Rude' } }),
          statusOf(bob, report, { body: { listing_id: id, reason: 'No kale' } }),
          statusOf(carol, requestFriend, { body: { friend_id: ann.id } }),
          statusOf(carol, sendMessage, { body: { receiver_id: ann.id, content: 'Kale?', listing_id: id } }),
          statusOf(carol, createTrade, { body: { listing_id: id } }),
          statusOf(carol, markThreadRead, { params: { id: ann.id } }),
        ])),
      )
    }
    await gone
    expect(statuses.filter((status) => status >= 300 && status !== 404)).toEqual([])
  }
})

test('logs no unexpected failure', () => {
  expect(world.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
})
