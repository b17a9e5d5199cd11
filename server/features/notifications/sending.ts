import type { Notification } from '#contract/notifications.ts'
import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { oneClickStop } from '#server/features/members/stop-mails.ts'
import { pushTo } from '#server/features/push/push.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { RunningJob } from '#server/platform/jobs.ts'
import { linkList, type MailContent } from '#server/platform/render-mail.ts'
import type { Db } from '#server/tables.ts'
import { listMembers, updateSentId } from './delivery-queries.ts'
import type { Channel, Declarations, Delivery, DeliveryKey, MailBody, Reader, Text, Unsent } from './kinds.ts'
import type { notificationQueries } from './queries.ts'
import { afterQuietHours } from './quiet-hours.ts'
import { type DeliveryData, namesOf, postpone, sendMail } from './scheduling.ts'

/** The declarations with the statements that read their notifications. */
export interface Hub extends Declarations {
  readonly queries: ReturnType<typeof notificationQueries>
}

type SenderDeps = Pick<Deps, 'db' | 'mailer' | 'pusher' | 'translatorFor'>

/** Sends a member one mail about everything new of a subject. Waits for the confirmation of their address. */
export async function sendOneMail(
  deps: SenderDeps,
  hub: Hub,
  data: DeliveryData,
  job: RunningJob,
): Promise<void> {
  const found = await prepare(deps, hub, data, 'mail')
  if (!found) return
  const { delivery, member, reader, unsent } = found
  if (unsent.content && member.mail !== 'never') {
    const addressee = await confirmedAddressee(deps.db, sendMail, data)
    if (!addressee) return
    const oneClick = await oneClickStop(deps.db, data.user_id, delivery.preference)
    const mail = toMail(await unsent.content.mail(), { to: addressee.email, oneClick }, reader.t)
    const thread = data.subject_id === 0 ? {} : { thread: `${data.topic}-${data.subject_id}` }
    await deps.mailer.send({ ...mail, ...thread }, job)
  }
  await unsent.markSent(deps.db)
}

/**
 * Sends a member one push about everything new of a subject. During quiet hours it is moved to their end. If a browser shows it, the mail
 * about the same waits, and is sent if it stays unread.
 */
export async function sendOnePush(deps: SenderDeps, hub: Hub, data: DeliveryData): Promise<void> {
  const found = await prepare(deps, hub, data, 'push')
  if (!found) return
  const { delivery, key, reader, unsent } = found
  if (unsent.content) {
    const now = new Date()
    const due = unsent.content.isUrgent ? now : afterQuietHours(reader.timeZone, now)
    if (due > now) return postpone(deps.db, delivery, key, due)
    const { topic, category } = delivery
    const tag = data.subject_id === 0 ? topic : `${topic}-${data.subject_id}`
    const shown = await pushTo(deps, data.user_id, { category, ...unsent.content.push(), tag })
    if (shown > 0) await postpone(deps.db, delivery, { ...key, channel: 'mail' }, 'after the push')
  }
  await unsent.markSent(deps.db)
}

/** Returns the delivery with what is new. Undefined if the member is suspended or deleted, or this release does not know the topic. */
async function prepare(deps: SenderDeps, hub: Hub, data: DeliveryData, channel: Channel) {
  const delivery = hub.deliveries.get(data.topic)
  if (!delivery) return undefined
  const [member] = await listMembers(deps.db, [data.user_id], delivery.preference)
  if (!member || member.suspended_at !== null) return undefined
  const { user_id: id, first_name, language, time_zone } = member
  const t = deps.translatorFor(language, time_zone)
  const reader: Reader = { id, first_name, t, timeZone: time_zone ?? 'UTC' }
  const key = { ...data, channel }
  const unsent =
    (await delivery.unsent?.(deps.db, key, reader)) ??
    (await unsentNotifications(deps.db, hub, delivery, key, reader))
  return { delivery, key, member, reader, unsent }
}

/** The maximum number of notifications that a mail or a push covers. */
const maxCovered = 100

async function unsentNotifications(
  db: Db,
  { kinds, queries }: Hub,
  delivery: Delivery,
  key: DeliveryKey,
  reader: Reader,
): Promise<Unsent> {
  const found = await queries.listUnsent(db, key, namesOf(kinds, key.topic), maxCovered)
  const current = found.filter((one) => !kinds.get(one.kind)?.isLate?.(one))
  const [first, ...others] = delivery.order ? current.sort(delivery.order) : current
  const textOf = (one: Notification): Text => {
    const text = kinds.get(one.kind)?.text?.(one, reader)
    if (!text) throw new Error(`Notifications of the kind ${one.kind} have no text`)
    return text
  }
  return {
    content: first && {
      async mail() {
        const { because = '', of } = delivery.mail ?? {}
        const texts = [textOf(first), ...others.map(textOf)] as const
        return {
          because: reader.t(because),
          ...((await of?.(db, [first, ...others], reader)) ?? digestMail(texts, reader)),
        }
      },
      push() {
        const { title, body, path } = textOf(first)
        if (key.subject_id !== 0 || others.length === 0) return { title, body, path }
        return {
          title: reader.t('{first}, and {count, number} more', { first: title, count: others.length }),
          body,
          path: delivery.path ?? path,
        }
      },
      isUrgent: kinds.get(first.kind)?.isUrgent === true,
    },
    markSent: (db) => updateSentId(db, key, Math.max(0, ...found.map(({ id }) => id))),
  }
}

/** Returns a mail with the first text in full and the others in a line each. */
function digestMail(
  [{ title, body, label, path }, ...others]: readonly [Text, ...Text[]],
  { first_name, t }: Reader,
): Omit<MailBody, 'because'> {
  const lines = others.map((text) => ({ label: text.title, path: text.path, text: `- ${text.title}:` }))
  return {
    subject: title,
    title,
    body: [t('Hello {name},', { name: first_name }), body],
    action: { label, path },
    after: lines.length > 0 ? [linkList(t('Also:'), lines)] : [],
  }
}

/** Adds the receiver and the links that turn such mails off. */
export function toMail(
  { because, links = [], ...mail }: MailBody,
  { to, oneClick }: { readonly to: string; readonly oneClick: string },
  t: Translator,
): MailContent {
  const choose = { label: t('Choose what we mail you'), path: '/notifications/settings' }
  return { ...mail, to, t, optional: { because, links: [...links, choose], oneClick } }
}
