import { limits } from '#contract/constants.ts'
import { memberMessages } from '#contract/members.ts'
import { type Message, messageErrorMessages, type Thread } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { languageOf } from '#server/features/members/language.ts'
import { publicMembers, requireMember } from '#server/features/members/members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { Db } from '#server/tables.ts'
import { namePhotos } from './excerpt.ts'
import {
  findThread,
  isOwnMessage,
  listMessagesAfter,
  listMessagesBefore,
  listPartners,
  listThreads,
  searchThreads,
  updateRead,
} from './queries.ts'
import { toMessage } from './response.ts'

interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Returns the member ids of the caller's conversations, latest first. */
export async function pageOfPartners(db: Db, caller: number, query: PageQuery): Promise<Page<number>> {
  const found = await listPartners(db, caller, decodeIdCursor(query.cursor), query.limit + 1)
  const { rows, next } = paginate(found, query.limit, ({ last_message_id }) => last_message_id)
  return { rows: rows.map(({ partner_id }) => partner_id), next }
}

/**
 * Returns the caller's conversations, latest first. `user` is null for a deleted member. `q` must occur in the username or the preview
 * of the last message.
 */
export async function pageOfThreads(
  { db, translatorFor }: Pick<Deps, 'db' | 'translatorFor'>,
  caller: number,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<Page<Thread>> {
  const page = { before: decodeIdCursor(query.cursor), limit: query.limit + 1 }
  const found = q
    ? await searchThreads(db, caller, {
        ...page,
        words: q,
        photoCounts: photoCountsWith(q, translatorFor(await languageOf(db, caller))),
      })
    : await listThreads(db, caller, page)
  const { rows, next } = paginate(found, query.limit, ({ id }) => id)
  const members = await publicMembers(
    db,
    rows.map(({ user_id }) => user_id),
  )
  return {
    rows: rows.map(({ user_id, unread_count, ...last_message }) => ({
      user_id,
      user: members.get(user_id) ?? null,
      last_message: toMessage(last_message),
      unread_count,
    })),
    next,
  }
}

/** Returns how many photos a message without a text has if its preview has these words. */
function photoCountsWith(words: string, t: Translator): number[] {
  const counts = Array.from({ length: limits.photos.message }, (_, index) => index + 1)
  return counts.filter((count) => namePhotos(count, t).toLowerCase().includes(words.toLowerCase()))
}

/** Returns a page of a conversation, oldest message first. Throws `not_found`. */
export async function conversation(
  db: Db,
  caller: number,
  userId: number,
  { limit, before, after }: { limit: number; before?: number | undefined; after?: number | undefined },
): Promise<Message[]> {
  const messages =
    after === undefined
      ? (await listMessagesBefore(db, caller, userId, before ?? Number.MAX_SAFE_INTEGER, limit)).reverse()
      : await listMessagesAfter(db, caller, userId, after, limit)
  if (messages.length === 0) await requirePartner(db, caller, userId)
  return messages.map(toMessage)
}

/** Marks a conversation as read and publishes it to both sides, or with a block to the caller only. Throws `not_found`. */
export async function markConversationRead(
  { db, realtime }: Pick<Deps, 'db' | 'realtime'>,
  caller: number,
  userId: number,
): Promise<{ updated: number }> {
  const read = await inTransaction(db, (tx) => updateRead(tx, caller, userId))
  if (!read) {
    await requirePartner(db, caller, userId)
    return { updated: 0 }
  }
  const { updated, last_read_id, is_shown } = read
  realtime.publish(is_shown ? [caller, userId] : [caller], 'thread_read', {
    reader_id: caller,
    user_id: userId,
    last_read_id,
  })
  return { updated }
}

/** Returns whether the caller has received the message of a photo. Its sender is null after the account is deleted. */
export async function isOfOwnMessage(
  db: Db,
  caller: number,
  { message_id, owner_id }: { message_id: number | null; owner_id: number | null },
): Promise<boolean> {
  return message_id !== null && isOwnMessage(db, caller, message_id, owner_id)
}

/** Throws `not_found` unless the caller has sent or received the message. */
export async function requireOwnMessage(db: Db, caller: number, id: number): Promise<void> {
  if (!(await isOwnMessage(db, caller, id))) throw new AppError('not_found', messageErrorMessages.notFound)
}

/** Throws `not_found` unless the caller has a conversation with the member or could begin one. */
async function requirePartner(db: Db, caller: number, userId: number): Promise<void> {
  if (caller === userId) throw new AppError('not_found', memberMessages.notFound)
  if (!(await findThread(db, caller, userId))) await requireMember(db, userId)
}
