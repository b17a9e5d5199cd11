import { types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { toMail } from '#server/features/notifications/sending.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { Mail } from '#server/platform/render-mail.ts'
import { type MailedMatch, matchesMail } from './mails/matches.ts'
import { eachListingOnce } from './notifications.ts'
import { findPreviewReader, listLatest } from './pending-queries.ts'

/** Returns the preview's match for a member without matches. */
function example(t: Translator): MailedMatch {
  const rhubarb = { term: 'rhubarb', name: t('rhubarb crowns') }
  return {
    want_title: t('Rhubarb crown'),
    listing_id: 0,
    listing_title: t('Rhubarb crowns, three'),
    type_id: types.giveaway,
    price: 0,
    reason: { kind: 'same', wanted: rhubarb, offered: rhubarb },
    is_swap: false,
    owner_username: 'old_orchard',
    city: 'Portland',
    state: 'OR',
    image_name: null,
    image_widths: null,
  }
}

/** Returns a preview of the caller's match mail, without the personal link. Throws `not_authenticated`. */
export async function showMail(
  { db, mailer, translatorFor }: Pick<Deps, 'db' | 'mailer' | 'translatorFor'>,
  caller: number,
): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
  const reader = await findPreviewReader(db, caller)
  if (!reader) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const t = translatorFor(reader.language)
  const [latest = example(t), ...others] = eachListingOnce(await listLatest(db, caller))
  const mail = toMail(matchesMail([latest, ...others], { ...reader, t }), { to: '', oneClick: '' }, t)
  const { subject, html, text } = mailer.render(mail)
  return { subject, html, text }
}
