import { html } from '#server/platform/html.ts'
import { type LinkLine, linkList, type MailContent } from '#server/platform/render-mail.ts'

/** A listing that ends, with the page where its owner answers without a login. */
export interface EndingListing {
  readonly title: string
  readonly expires_at: string
  readonly is_expired: boolean
  readonly time_zone: string | null
  readonly path: string
}

/** The maximum number of listings that the mail names besides the first. */
const maxFurther = 20

/** Returns the mail that asks whether listings are still there. Its links only open a page, because mail scanners follow them. */
export function reminderMail(
  to: { email: string; first_name: string },
  [first, ...others]: readonly [EndingListing, ...EndingListing[]],
  oneClick: string,
  publicUrl: string,
): MailContent {
  const further = others.slice(0, maxFurther)
  const more = others.length - further.length
  const how = 'One tap lists it again for the same time, or says that it is gone. You need no login.'
  const lines = further.map(
    (listing): LinkLine => ({
      label: listing.title,
      path: listing.path,
      rest: ` ${listedUntil(listing)}.`,
      text: `- “${listing.title}” ${listedUntil(listing)}:`,
    }),
  )
  if (more > 0) lines.push({ label: `And ${more} more.`, path: '/my-listings', text: `And ${more} more:` })
  return {
    to: to.email,
    subject: reminderSubject(first, others),
    title: 'Still there?',
    body: [
      `Hello ${to.first_name},`,
      `“${first.title}” ${listedUntil(first)}. Is it still there?`,
      { html: html`<p style="margin:0;">${how}</p>`, text: how },
    ],
    action: { label: 'Answer', path: first.path },
    after: lines.length > 0 ? [linkList('And these?', lines, publicUrl)] : [],
    optional: {
      because: 'You get this note because you have listed it. We ask once.',
      links: [{ label: 'Choose what we mail you', path: '/profile/edit' }],
      oneClick,
    },
  }
}

/** Returns the subject of the mail and the title of the push. */
export function reminderSubject(first: Pick<EndingListing, 'title'>, others: readonly unknown[]): string {
  const question = `Still there? ${first.title}`
  return others.length === 0 ? question : `${question}, and ${others.length} more`
}

/** Returns the end of a sentence such as "is listed until May 3", with the day in the owner's time zone. */
export function listedUntil({
  expires_at,
  is_expired,
  time_zone,
}: Omit<EndingListing, 'title' | 'path'>): string {
  const day = new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'long',
    timeZone: time_zone ?? 'UTC',
  }).format(new Date(expires_at))
  return is_expired ? `was listed until ${day}` : `is listed until ${day}`
}
