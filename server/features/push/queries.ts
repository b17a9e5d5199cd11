import { sql } from 'kysely'
import type { Caller } from '#server/platform/http/route.ts'
import type { PushAddress } from '#server/platform/push.ts'
import type { Db } from '#server/tables.ts'

/** The maximum number of browsers per member. Those that subscribed last are kept. */
const maxBrowsers = 10

/** Stores a subscription for the caller's session. Replaces one with its endpoint, also of another member. */
export async function upsertSubscription(
  tx: Db,
  { id: user_id, session }: Caller,
  { endpoint, ...keys }: PushAddress,
): Promise<void> {
  const values = { user_id, session_hash: session, ...keys }
  await tx
    .insertInto('push_subscriptions')
    .values({ endpoint, ...values })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ ...values, id: sql`default` }))
    .execute()
  const kept = tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(maxBrowsers)
  await tx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', user_id)
    .where('id', 'not in', kept)
    .execute()
}

export async function deleteSubscription(db: Db, userId: number, endpoint: string): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('user_id', '=', userId)
    .execute()
}

/** Returns a member's subscriptions of valid sessions. */
export function listSubscriptions(db: Db, userId: number): Promise<PushAddress[]> {
  return db
    .selectFrom('push_subscriptions as p')
    .innerJoin('sessions as s', 's.token_hash', 'p.session_hash')
    .select(['p.endpoint', 'p.p256dh', 'p.auth'])
    .where('p.user_id', '=', userId)
    .where('s.expires_at', '>', sql<string>`now()`)
    .orderBy('p.id')
    .execute()
}

/** Deletes subscriptions whose sessions have ended, and returns them. Skips those that are subscribed again now. */
export async function takeEnded(tx: Db, limit: number) {
  const { rows } = await sql<PushAddress & { user_id: number }>`
    delete from push_subscriptions where id = any (array(
      select id from push_subscriptions where session_hash is null order by id limit ${limit} for update skip locked
    ))
    returning user_id, endpoint, p256dh, auth`.execute(tx)
  return rows
}
