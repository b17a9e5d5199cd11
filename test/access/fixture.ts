import { sql } from 'kysely'
import { removeFriend, requestFriend, respondToFriend } from '#contract/friends.ts'
import { getInvitationLink } from '#contract/invitations.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { createWant, type Want } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import type { World } from '#test/world.ts'

/** How somebody stands with the owner of a thing. */
export const roles = ['guest', 'stranger', 'formerFriend', 'friend', 'owner', 'blocked', 'suspended'] as const
export type Role = (typeof roles)[number]

/** The cast of the table: one for each role, and a neighbour whom the owner talks with. */
export async function createFixture(world: World) {
  const [stranger, formerFriend, friend, owner, blocked, suspended, neighbour] = await world.members(
    'stranger',
    'former_friend',
    'friend',
    'owner',
    'blocked',
    'suspended',
    'neighbour',
  )
  const offTheMarket = await suspended.call(createListing, { body: { title: 'Beans', price: 1 } })
  const theirWant = await suspended.call(createWant, { body: { title: 'beans' } })
  const { url } = await suspended.call(getInvitationLink)
  const inviteOfSuspended = new URL(url).searchParams.get('invite') ?? ''
  const { request_id } = await formerFriend.call(requestFriend, { body: { friend_id: owner.id } })
  await owner.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
  await owner.call(removeFriend, { params: { id: formerFriend.id } })
  // They still hold the token of a login from before.
  await world.suspend(suspended)
  const cast: Record<Role, Actor> = {
    guest: world.guest(),
    stranger,
    formerFriend,
    friend,
    owner,
    blocked,
    suspended,
  }
  let people = 0

  return {
    world,
    cast,
    neighbour,
    /** A listing that nobody may see, because its owner is suspended. */
    offTheMarket,
    theirWant,
    inviteOfSuspended,

    /** Puts everything between the members back: nothing but one friendship and one block. */
    async reset() {
      await world.db.deleteFrom('listings').where('id', '<>', offTheMarket.id).execute()
      await world.db.deleteFrom('wants').where('id', '<>', theirWant.id).execute()
      for (const table of ['friendships', 'blocks', 'messages', 'threads', 'reports'] as const)
        await world.db.deleteFrom(table).execute()
      const [low_id = 0, high_id = 0] = [owner.id, friend.id].sort((one, other) => one - other)
      await world.db
        .insertInto('friendships')
        .values({
          low_id,
          high_id,
          requester_id: friend.id,
          status: 'accepted',
          answered_at: offTheMarket.created_at,
        })
        .execute()
      await world.db.insertInto('blocks').values({ blocker_id: owner.id, blocked_id: blocked.id }).execute()
    },

    /** All that members have written, as one text: a call that was refused leaves it as it was. */
    async kept(tables: readonly string[] = kept): Promise<unknown> {
      const all = tables.map(
        (table) => sql`(select md5(string_agg(t::text, ',' order by t::text)) from ${sql.table(table)} t)`,
      )
      const { rows } = await sql`select array[${sql.join(all)}] as kept`.execute(world.db)
      return rows
    },

    listing: (changes: { is_public?: boolean; is_active?: boolean } = {}): Promise<Listing> =>
      owner.call(createListing, { body: { title: 'Courgettes', price: 2, ...changes } }),
    want: (): Promise<Want> => owner.call(createWant, { body: { title: 'rhubarb' } }),
    /** Somebody whom it does not matter to lose. */
    extra() {
      people += 1
      return world.member({ username: `extra_${people}` })
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** Tables that no background job writes. */
export const kept: readonly string[] = [
  'users',
  'sessions',
  'listings',
  'images',
  'wants',
  'friendships',
  'blocks',
  'messages',
  'threads',
  'reports',
  'push_subscriptions',
]
