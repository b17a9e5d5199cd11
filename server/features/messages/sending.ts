import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { notificationTimes } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { imageMessages } from '#contract/images.ts'
import { memberMessages } from '#contract/members.ts'
import { type Message, messageErrorMessages, type NewMessage } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { orderedPhotos } from '#server/features/images/paths.ts'
import { dispatchScheduler } from '#server/features/notifications/scheduling.ts'
import { foreignKeyViolated } from '#server/platform/database-errors.ts'
import { groupCommit } from '#server/platform/db/group-commit.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db, Tx } from '#server/tables.ts'
import { firstContactLimit } from './first-contacts.ts'
import { findSent, hasSent } from './queries.ts'
import { type ListingOfMessage, listingOf, toMessage } from './response.ts'
import { type Draft, insertMessages, type Verdict } from './sending-queries.ts'
import { insertWithTrade, type TradeMessage } from './trade-queries.ts'

/** The rate of a member's messages. Allows fast typing. */
const sendRate = { burst: 20, perSecond: 2 }

interface Sent {
  readonly message: Message
  /** False for a retry of a stored message. */
  readonly isNew: boolean
}

/**
 * Sends a message from a member. Throws `invalid`, `too_many`, `contacts_used`, `contacts_unconfirmed`, `equal_texts`,
 * `client_id_reused`, `not_found`, `forbidden`, `not_authenticated`.
 */
export type Send = (sender: Caller, input: NewMessage) => Promise<Sent>

/** Returns the function that stores a message and publishes it to both sides, for HTTP and sockets. */
export function messageSender({
  db,
  jobs,
  realtime,
  tokenBuckets,
  ...deps
}: Pick<Deps, 'db' | 'jobs' | 'realtime' | 'tokenBuckets' | 'limits' | 'site' | 'events'>): Send {
  const countFirstContact = firstContactLimit({ db, ...deps })
  const takeToken = tokenBuckets<number>(sendRate)
  const schedulePush = dispatchScheduler({ db, jobs }, notificationTimes.pushDelaySeconds)
  const store = groupCommit<Draft, Outcome>({
    async write(drafts) {
      const rows = await insertMessages(db, drafts)
      if (rows.some(({ is_pushed }) => is_pushed)) schedulePush()
      return rows.map(({ verdict, id, content, created_at, photos, ...row }) => ({
        verdict,
        stored:
          id === null || content === null || created_at === null
            ? undefined
            : { id, content, created_at, listing: listingOf(row), images: orderedPhotos(photos) },
      }))
    },
    order: ({ sender_id, receiver_id }) =>
      sender_id < receiver_id ? `${sender_id} ${receiver_id}` : `${receiver_id} ${sender_id}`,
  })

  return async ({ id: sender_id, session }, input) => {
    const { receiver_id, content, client_id, listing_id = null, image_ids = [] } = input
    if (receiver_id === sender_id) throw invalid('receiver_id', messageErrorMessages.self)
    if (!takeToken(sender_id)) throw new AppError('too_many', messageErrorMessages.tooMany, { retryAfter: 1 })
    await countFirstContact(sender_id, receiver_id, content)
    const draft = {
      sender_id,
      receiver_id,
      content,
      client_id: client_id?.toLowerCase() ?? randomUUID(),
    }
    const { verdict, stored } = await store({ ...draft, listing_id, image_ids, session }).catch(
      rethrowNotFound,
    )
    if (!stored) {
      const message = await findRetried(db, { ...draft, listing_id, image_ids }, verdict)
      // The node that stored the message may have failed before it published it, so both sides fetch it. The verdict on a retry with
      // photos is `no photo`, because the stored message has them.
      const isAllowed = verdict === 'allowed' || verdict === 'no photo'
      realtime.publish(isAllowed ? [sender_id, receiver_id] : [sender_id], 'missed', {})
      return { message, isNew: false }
    }
    const message = { ...draft, ...stored, is_read: false, trade_id: null }
    realtime.publish([sender_id, receiver_id], 'new_message', message)
    return { message, isNew: true }
  }
}

/** Stores the messages of a new trade. Publish them after the commit. */
export async function storeTradeMessages(tx: Tx, messages: readonly TradeMessage[]): Promise<Message[]> {
  return (await insertWithTrade(tx, messages)).map(toMessage)
}

interface Outcome {
  readonly verdict: Verdict
  readonly stored:
    | (Pick<Message, 'id' | 'content' | 'created_at' | 'images'> & { listing: ListingOfMessage })
    | undefined
}

/** The fields of a message that a retry repeats. */
type Repeated = Record<Exclude<keyof NewMessage, 'client_id'>, unknown>

/**
 * Returns the stored message of a retry, even after a block. Throws `client_id_reused` if another message has the id, `not_found`,
 * `forbidden`, `not_authenticated`, and `unavailable`.
 */
async function findRetried(
  db: Db,
  { sender_id, receiver_id, content, client_id, listing_id, image_ids }: Omit<Draft, 'session'>,
  verdict: Verdict,
): Promise<Message> {
  if (verdict === 'no session') throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const message = await findSent(db, { sender_id, receiver_id, client_id })
  if (message) {
    const { sent_listing_id, ...row } = message
    const sent = toMessage(row)
    const stored: Repeated = {
      receiver_id: row.receiver_id,
      content: row.content,
      listing_id: sent_listing_id,
      image_ids: sent.images.map(({ id }) => id),
    }
    const repeated: Repeated = { receiver_id, content, listing_id, image_ids }
    if (!isDeepStrictEqual(stored, repeated))
      throw new AppError('client_id_reused', messageErrorMessages.clientIdReused)
    return sent
  }
  if (await hasSent(db, { sender_id, client_id }))
    throw new AppError('client_id_reused', messageErrorMessages.clientIdReused)
  if (verdict === 'no receiver') throw new AppError('not_found', memberMessages.notFound)
  if (verdict === 'blocked') throw new AppError('forbidden', messageErrorMessages.notPossible)
  if (verdict === 'no photo') throw invalid('image_ids', imageMessages.notUsable, 'photos_not_usable')
  if (verdict === 'no listing') throw invalid('listing_id', messageErrorMessages.listingNotVisible)
  // The primary failed after its insert met the message of another request, which the new primary does not have.
  throw new AppError('unavailable', errorMessages.unavailable)
}

/** Maps the foreign key violation of a member who was deleted meanwhile to `not_found`. */
function rethrowNotFound(error: unknown): never {
  if (foreignKeyViolated(error)) throw new AppError('not_found', memberMessages.notFound)
  throw error
}
