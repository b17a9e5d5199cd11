import { sql } from 'kysely'
import type { TypeId } from '#contract/constants.ts'
import { deskRoles } from '#contract/desk-roles.ts'
import { removeFriend, requestFriend, respondToFriend } from '#contract/friends.ts'
import { getInvitationLink } from '#contract/invitations.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { createWant, type Want } from '#contract/wants.ts'
import { giveRole } from '#server/features/desk/roles.ts'
import { reminderPath } from '#server/features/listing-reminders/reminder-link.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Actor } from '#test/actor.ts'
import type { World } from '#test/world.ts'

/** The relations of a caller to the owner. A moderator and an operator are strangers with a role at the desk. */
export const roles = [
  'guest',
  'stranger',
  'formerFriend',
  'friend',
  'owner',
  'blocked',
  'suspended',
  'moderator',
  'operator',
] as const
export type Role = (typeof roles)[number]

/** Registers one member for each role, and a neighbor with whom the owner has a conversation. */
export async function createFixture(world: World) {
  const cast = await registerCast(world)
  const { owner } = cast.members
  let extraCount = 0

  return {
    world,
    cast: cast.members,
    neighbor: cast.neighbor,
    /** A listing of the suspended member, which is invisible to all others. */
    suspendedListing: cast.suspendedListing,
    suspendedWant: cast.suspendedWant,
    inviteOfSuspended: cast.inviteOfSuspended,

    reset: () => resetRows(world, cast),

    /** Returns a digest of the tables. A refused call does not change it. */
    async digest(tables: readonly string[] = checkedTables): Promise<unknown> {
      const digests = tables.map(
        (table) => sql`(select md5(string_agg(t::text, ',' order by t::text)) from ${sql.table(table)} t)`,
      )
      const { rows } = await sql`select /* test */ array[${sql.join(digests)}] as digests`.execute(world.db)
      return rows
    },

    listing: (
      changes: { is_public?: boolean; is_active?: boolean; type_id?: TypeId } = {},
    ): Promise<Listing> => owner.call(createListing, { body: { title: 'Courgettes', price: 2, ...changes } }),
    /** A public listing that has ended. */
    async endedListing(): Promise<Listing> {
      const ended = await this.listing()
      await world.db
        .updateTable('listings')
        .set({ expires_at: ended.created_at })
        .where('id', '=', ended.id)
        .execute()
      return ended
    },
    /** A public listing that the operator has hidden. */
    async hiddenListing(): Promise<Listing> {
      const hidden = await this.listing()
      await world.hide(hidden.id)
      return hidden
    },
    /** The token of the mail that asks whether a listing is still there. */
    async reminderToken(listing: Listing) {
      const path = await reminderPath(world.db, listing)
      return new URLSearchParams(path.slice(path.indexOf('?'))).get('token') ?? ''
    },
    want: (): Promise<Want> => owner.call(createWant, { body: { title: 'rhubarb' } }),
    /** Registers a member that a test may delete. */
    extra() {
      extraCount += 1
      return world.member({ username: `extra_${extraCount}` })
    },
  }
}

/** Registers the members. The former friend and the suspended member get their history; the suspended one still has a token. */
async function registerCast(world: World) {
  const [stranger, formerFriend, friend, owner, blocked, suspended, neighbor, moderator, operator] =
    await world.members(
      'stranger',
      'former_friend',
      'friend',
      'owner',
      'blocked',
      'suspended',
      'neighbor',
      'maud',
      'olga',
    )
  const suspendedListing = await suspended.call(createListing, { body: { title: 'Beans', price: 1 } })
  const suspendedWant = await suspended.call(createWant, { body: { title: 'beans' } })
  const { url } = await suspended.call(getInvitationLink)
  const inviteOfSuspended = new URL(url).searchParams.get('invite') ?? ''
  const { request_id } = await formerFriend.call(requestFriend, { body: { friend_id: owner.id } })
  await owner.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
  await owner.call(removeFriend, { params: { id: formerFriend.id } })
  await world.suspend(suspended)
  const desk = { moderator, operator }
  for (const role of deskRoles) await giveRole(world.db, null, { username: desk[role].username, role })
  const guest = world.guest()
  const members = {
    guest,
    stranger,
    formerFriend,
    friend,
    owner,
    blocked,
    suspended,
    ...desk,
  } satisfies Record<Role, Actor>
  return { members, neighbor, suspendedListing, suspendedWant, inviteOfSuspended }
}

type Cast = Awaited<ReturnType<typeof registerCast>>

/** Deletes all rows between the members except one friendship and one block. Tries again after a deadlock with a job. */
async function resetRows({ db }: World, { members, suspendedListing, suspendedWant }: Cast) {
  const { owner, friend, blocked } = members
  const [low_id = 0, high_id = 0] = [owner.id, friend.id].sort((a, b) => a - b)
  const { created_at: answered_at } = suspendedListing
  await inTransaction(db, async (tx) => {
    await sql`
      with t as (delete from trades), w as (delete from wants where id <> ${suspendedWant.id}), f as (delete from friendships),
        b as (delete from blocks), m as (delete from messages), th as (delete from threads), r as (delete from reports),
        c as (delete from notices)
      delete from listings where id <> ${suspendedListing.id}`.execute(tx)
    await tx
      .insertInto('friendships')
      .values({ low_id, high_id, requester_id: friend.id, status: 'accepted', answered_at })
      .execute()
    await tx.insertInto('blocks').values({ blocker_id: owner.id, blocked_id: blocked.id }).execute()
  })
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** The tables that no background job writes. */
export const checkedTables: readonly string[] = [
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
  'trades',
  'trade_legs',
  'trade_parties',
  'thanks',
  'push_subscriptions',
  'desk_roles',
  'report_cases',
  'notices',
  'suspensions',
  'pauses',
  'bans',
  'registration_networks',
  'registration_requests',
  'audit_log',
  'site_versions',
]
