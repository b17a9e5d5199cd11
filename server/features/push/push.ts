import type { z } from 'zod/mini'
import { type PushMessage, pushErrorMessages, type pushSubscription } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { findOrCreateKey } from '#server/features/keys/keys.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { newPushKey, publicKeyOf } from '#server/platform/push.ts'
import type { Db } from '#server/tables.ts'
import { deleteSubscription, listSubscriptions, upsertSubscription } from './queries.ts'

/** Returns the private VAPID key. */
export function pushKey(db: Db): Promise<Buffer> {
  return findOrCreateKey(db, 'vapid', newPushKey)
}

/** Returns the public VAPID key as base64url. */
export async function publicKey(db: Db): Promise<{ key: string }> {
  return { key: publicKeyOf(await pushKey(db)).toString('base64url') }
}

/** Stores the push subscription of a browser. It ends with the caller's session. Throws `invalid` if its push service is unknown. */
export async function subscribe(
  { db, pusher }: Pick<Deps, 'db' | 'pusher'>,
  caller: Caller,
  { endpoint, keys }: z.output<typeof pushSubscription>,
): Promise<void> {
  if (!pusher.knows(endpoint)) throw invalid('endpoint', pushErrorMessages.unknownService)
  await inTransaction(db, (tx) => upsertSubscription(tx, caller, { endpoint, ...keys }))
}

/** Deletes the caller's subscription with this endpoint, if there is one. */
export async function unsubscribe(db: Db, caller: number, endpoint: string): Promise<void> {
  await inTransaction(db, (tx) => deleteSubscription(tx, caller, endpoint))
}

/**
 * Sends a push to all subscribed browsers of a member. Returns how many push services have accepted it. Deletes subscriptions that have
 * ended. Throws the first error if every browser failed, so that a job retries only then.
 */
export async function pushTo(
  { db, pusher }: Pick<Deps, 'db' | 'pusher'>,
  userId: number,
  message: PushMessage,
): Promise<number> {
  const [key, browsers] = await Promise.all([pushKey(db), listSubscriptions(db, userId)])
  const outcomes = await Promise.allSettled(
    browsers.map(async (browser) => {
      const outcome = await pusher.send(browser, JSON.stringify(message), key)
      if (outcome === 'gone') await deleteSubscription(db, userId, browser.endpoint)
      return outcome
    }),
  )
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
  if (failures.length > 0 && failures.length === outcomes.length) throw failures[0]?.reason
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'sent').length
}
