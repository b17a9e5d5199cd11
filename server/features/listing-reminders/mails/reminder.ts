import type { MailBody, Reader } from '#server/features/notifications/kinds.ts'
import { html } from '#server/platform/html.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { type LinkLine, linkList } from '#server/platform/render-mail.ts'

/** A listing that ends, with the page where its owner answers without a login. */
export interface EndingListing {
  readonly title: string
  readonly expires_at: string
  readonly path: string
}

/** The maximum number of listings that the mail names besides the first. */
const maxFurther = 20

/** Returns the mail that asks whether listings are still there. Its links only open a page, because mail scanners follow them. */
export function reminderMail(
  [first, ...others]: readonly [EndingListing, ...EndingListing[]],
  { first_name, t }: Reader,
): Omit<MailBody, 'because'> {
  const further = others.slice(0, maxFurther)
  const more = others.length - further.length
  const how = t('One tap lists it again for the same time, or says that it is gone. You need no login.')
  const lines = further.map((listing): LinkLine => {
    const sentence = listedUntil(listing, t)
    return { label: sentence, path: listing.path, text: `- ${sentence}` }
  })
  if (more > 0) {
    const label = t('And {count, number} more.', { count: more })
    lines.push({ label, path: '/my-listings', text: label })
  }
  const title = reminderTitle(first, t)
  return {
    subject:
      others.length === 0
        ? title
        : t('{first}, and {count, number} more', { first: title, count: others.length }),
    title: t('Still there?'),
    body: [
      t('Hello {name},', { name: first_name }),
      `${listedUntil(first, t)} ${t('Is it still there?')}`,
      { html: html`<p style="margin:0;">${how}</p>`, text: how },
    ],
    action: { label: t('Answer'), path: first.path },
    after: lines.length > 0 ? [linkList(t('And these?'), lines)] : [],
  }
}

export function reminderTitle({ title }: Pick<EndingListing, 'title'>, t: Translator): string {
  return t('Still there? {title}', { title })
}

/** Returns a sentence such as "“Kale” is listed until May 3.", with the day in the owner's time zone. */
export function listedUntil(
  { title, expires_at }: Pick<EndingListing, 'title' | 'expires_at'>,
  t: Translator,
): string {
  const day = t.date(expires_at, 'day')
  return Date.parse(expires_at) <= Date.now()
    ? t('“{title}” was listed until {day}.', { title, day })
    : t('“{title}” is listed until {day}.', { title, day })
}
