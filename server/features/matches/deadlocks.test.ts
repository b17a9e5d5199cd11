import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { removeFriend } from '#contract/friends.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { newMatchingWorld } from '#test/matching-world.ts'

const { world, newMembers, list, addWant, matchesOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

// Sleeps longer than `deadlock_timeout` (test/global-setup.ts). PostgreSQL ends the transaction that waits last, which is the change.
await sql`create function be_slow() returns trigger language plpgsql as $$
  begin perform pg_sleep(0.25); return null; end $$`.execute(world.db)

async function isAsleep(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`.execute(
    world.db,
  )
  return rows.length > 0
}

test.each([
  ['a block', 'blocks', 'insert', 'salsify', 'okra', blockMember, []],
  ['the end of a block', 'blocks', 'delete', 'quince', 'medlar', unblockMember, [true, true]],
  ['the end of a friendship', 'friendships', 'delete', 'kohlrabi', 'pomelo', removeFriend, [false]],
])(
  '%s succeeds after PostgreSQL ends it to resolve a deadlock with matching',
  async (_, name, event, given, wanted, endpoint, areSwaps) => {
    const exchange = { type_id: types.exchange }
    const [ann, bob] = await newMembers(2)
    await world.befriend(ann, bob)
    await addWant(ann, wanted)
    await addWant(bob, given)
    await list(bob, wanted, exchange)
    await list(ann, given, { ...exchange, is_public: endpoint !== removeFriend })
    const params = { id: bob.id }
    if (endpoint === unblockMember) await ann.call(blockMember, { params })
    await sql`create trigger be_slow after ${sql.raw(event)} on ${sql.table(name)} for each statement
    execute function be_slow()`.execute(world.db)

    // Locks the matches like matching does, then waits for the lock of the change.
    const change = await world.db.transaction().execute(async (tx) => {
      await sql`select from matches where ${ann.id} in (user_id, owner_id) for update`.execute(tx)
      const change = ann.try(endpoint, { params })
      await expect.poll(isAsleep).toBe(true)
      await sql`drop trigger be_slow on ${sql.table(name)}`.execute(tx)
      return { response: change }
    })

    expect((await change.response).status).toBe(204)
    const shown = [...(await matchesOf(ann)), ...(await matchesOf(bob))]
    expect(shown.map(({ is_swap }) => is_swap)).toEqual(areSwaps)
  },
)
