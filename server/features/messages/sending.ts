import { randomUUID } from 'node:crypto'
import { errorMessages } from '#contract/error-messages.ts'
import { memberMessages } from '#contract/members.ts'
import { type Message, messageErrorMessages, type NewMessage } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { foreignKeyViolated } from '#server/platform/db/database.ts'
import { groupCommit } from '#server/platform/db/group-commit.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { pushScheduler } from './pushing.ts'
import { type Draft, findSent, insertMessages, type Verdict } from './queries.ts'

/** As fast as somebody types who has a lot to say. */
const perMember = { burst: 20, perSecond: 2 }

interface Sent {
  readonly message: Message
  /** False for a retry: it was stored before. */
  readonly isNew: boolean
}

/**
 * Sends a message from a member. Throws `invalid`, `too_many`, `client_id_reused`, `not_found`, `forbidden`,
 * `not_authenticated`.
 */
export type Send = (sender: Caller, input: NewMessage) => Promise<Sent>

/** The one way to send, for sockets and HTTP alike: stores the message, then tells all sockets of both sides. */
export function messageSender({
  db,
  jobs,
  realtime,
  tokenBuckets,
}: Pick<Deps, 'db' | 'jobs' | 'realtime' | 'tokenBuckets'>): Send {
  const mayWrite = tokenBuckets<number>(perMember)
  const schedulePush = pushScheduler({ db, jobs })
  const store = groupCommit<Draft, Outcome>({
    async write(drafts) {
      const rows = await insertMessages(db, drafts)
      if (rows.some(({ is_pushed }) => is_pushed)) schedulePush()
      return rows.map(({ verdict, id, content, created_at }) => ({
        verdict,
        stored:
          id === null || content === null || created_at === null ? undefined : { id, content, created_at },
      }))
    },
    order: ({ sender_id, receiver_id }) =>
      sender_id < receiver_id ? `${sender_id} ${receiver_id}` : `${receiver_id} ${sender_id}`,
  })

  return async ({ id: sender_id, session }, { receiver_id, content, client_id }) => {
    if (receiver_id === sender_id) throw invalid('receiver_id', messageErrorMessages.self)
    if (!mayWrite(sender_id)) throw new AppError('too_many', messageErrorMessages.tooMany, { retryAfter: 1 })
    const draft = {
      sender_id,
      receiver_id,
      content,
      client_id: client_id?.toLowerCase() ?? randomUUID(),
    }
    const { verdict, stored } = await store({ ...draft, session }).catch(sideHasLeft)
    if (!stored) {
      const message = await sentBefore(db, draft, verdict)
      // The node that stored it may not have learned that it had, and so told nobody.
      realtime.publish(verdict === 'fine' ? [sender_id, receiver_id] : [sender_id], 'missed', {})
      return { message, isNew: false }
    }
    const message = { ...draft, ...stored, is_read: false }
    realtime.publish([sender_id, receiver_id], 'new_message', message)
    return { message, isNew: true }
  }
}

interface Outcome {
  readonly verdict: Verdict
  readonly stored: Pick<Message, 'id' | 'content' | 'created_at'> | undefined
}

/**
 * Returns what a retry finds: the stored message, even if the two have blocked each other since. Throws `client_id_reused`
 * if another message has the id, `not_found`, `forbidden`, `not_authenticated`.
 */
async function sentBefore(
  db: Deps['db'],
  { sender_id, receiver_id, content, client_id }: Omit<Draft, 'session'>,
  verdict: Verdict,
): Promise<Message> {
  if (verdict === 'no session') throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const message = await findSent(db, sender_id, client_id)
  if (message) {
    if (message.receiver_id !== receiver_id || message.content !== content)
      throw new AppError('client_id_reused', messageErrorMessages.clientIdReused)
    return message
  }
  if (verdict === 'no receiver') throw new AppError('not_found', memberMessages.notFound)
  if (verdict === 'blocked') throw new AppError('forbidden', messageErrorMessages.notPossible)
  throw new Error('A message was neither stored nor known')
}

/** Somebody left while a message was on its way to them. */
function sideHasLeft(error: unknown): never {
  if (foreignKeyViolated(error)) throw new AppError('not_found', memberMessages.notFound)
  throw error
}
