import { types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { oneClickStop } from '#server/features/members/stop-mails.ts'
import { AppError } from '#server/platform/errors.ts'
import type { RunningJob } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/render-mail.ts'
import { sendMatchMail } from './job-kinds.ts'
import { findReader, listLatest, listPending, updateSent } from './mailing-queries.ts'
import { type MailedMatch, matchesMail } from './mails/matches.ts'

type Sender = Pick<Deps, 'db' | 'mailer' | 'publicUrl'>

/** Sends a member one mail about all pending matches that are still shown. */
export async function mailMatches(
  { db, mailer, publicUrl }: Sender,
  data: { user_id: number },
  job: RunningJob,
): Promise<void> {
  const { user_id } = data
  const pending = await listPending(db, user_id, 'mail')
  const [first, ...others] = eachListingOnce(pending.filter((match) => match.is_shown))
  if (first) {
    const member = await confirmedAddressee(db, sendMatchMail, data)
    if (!member) return
    const reader = await findReader(db, user_id)
    if (reader && reader.mail_matches !== 'never') {
      const oneClick = await oneClickStop(db, user_id, 'mail_matches')
      await mailer.send(matchesMail(member, [first, ...others], oneClick, publicUrl), job)
    }
  }
  await updateSent(db, user_id, 'mail', pending)
}

/** Keeps the first match of each listing, as a listing may fit several wants. */
export function eachListingOnce<Row extends MailedMatch>(matches: readonly Row[]): Row[] {
  const seen = new Set<number>()
  return matches.filter(({ listing_id }) => !seen.has(listing_id) && seen.add(listing_id))
}

/** The preview's match for a member without matches. */
const example: MailedMatch = {
  want_title: 'Rhubarb crown',
  listing_id: 0,
  listing_title: 'Rhubarb crowns, three',
  type_id: types.giveaway,
  price: 0,
  reason: 'rhubarb crowns is on your list',
  is_swap: false,
  owner_username: 'old_orchard',
  city: 'Portland',
  state: 'OR',
  image_name: null,
  image_widths: null,
}

/** Returns a preview of the caller's match mail, without the personal link. Throws `not_authenticated`. */
export async function showMail(
  { db, mailer, publicUrl }: Sender,
  caller: number,
): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
  const reader = await findReader(db, caller)
  if (!reader) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const [latest = example, ...others] = eachListingOnce(await listLatest(db, caller))
  const { subject, html, text } = mailer.render(matchesMail(reader, [latest, ...others], '', publicUrl))
  return { subject, html, text }
}
