import { type Db, statement } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { PushAddress } from '#server/platform/push.ts'
import type { Tables } from '#server/tables.ts'

/** The newest browsers of a member; one more takes the place of the oldest. */
const maxBrowsers = 10

const keepSubscription = statement<
  [user: number, session: Buffer, endpoint: string, p256dh: string, auth: string],
  object
>(
  `insert into push_subscriptions (user_id, session_hash, endpoint, p256dh, auth) values ($1, $2, $3, $4, $5)
   on conflict (endpoint) do update set
     user_id = excluded.user_id, session_hash = excluded.session_hash, p256dh = excluded.p256dh, auth = excluded.auth`,
)

const deleteOldest = statement<[user: number], object>(
  `delete from push_subscriptions where id in (
     select id from push_subscriptions where user_id = $1 order by id desc offset ${maxBrowsers}
   )`,
)

export async function upsertSubscription(
  tx: Db<Tables>,
  { id: userId, session }: Caller,
  { endpoint, p256dh, auth }: PushAddress,
): Promise<void> {
  await keepSubscription(tx, userId, session, endpoint, p256dh, auth)
  await deleteOldest(tx, userId)
}

export async function deleteSubscription(db: Db<Tables>, userId: number, endpoint: string): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('user_id', '=', userId)
    .execute()
}

const subscriptions = statement<[user: number], PushAddress>(
  `select p.endpoint, p.p256dh, p.auth from push_subscriptions p
   join sessions s on s.token_hash = p.session_hash and s.expires_at > now()
   where p.user_id = $1 order by p.id`,
)

/** Without those of sessions that have expired and are not deleted yet. */
export function listSubscriptions(db: Db<Tables>, userId: number): Promise<PushAddress[]> {
  return subscriptions(db, userId)
}
