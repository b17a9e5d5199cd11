import type { MailBody, Reader } from '#server/features/notifications/kinds.ts'
import { html } from '#server/platform/html.ts'
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
  reader: Reader,
): Omit<MailBody, 'because'> {
  const further = others.slice(0, maxFurther)
  const more = others.length - further.length
  const how = 'One tap lists it again for the same time, or says that it is gone. You need no login.'
  const lines = further.map((listing): LinkLine => {
    const until = listedUntil(listing, reader)
    return {
      label: listing.title,
      path: listing.path,
      rest: ` ${until}.`,
      text: `- “${listing.title}” ${until}:`,
    }
  })
  if (more > 0) lines.push({ label: `And ${more} more.`, path: '/my-listings', text: `And ${more} more:` })
  const title = reminderTitle(first)
  return {
    subject: others.length === 0 ? title : `${title}, and ${others.length} more`,
    title: 'Still there?',
    body: [
      `Hello ${reader.first_name},`,
      `“${first.title}” ${listedUntil(first, reader)}. Is it still there?`,
      { html: html`<p style="margin:0;">${how}</p>`, text: how },
    ],
    action: { label: 'Answer', path: first.path },
    after: lines.length > 0 ? [linkList('And these?', lines)] : [],
  }
}

export function reminderTitle({ title }: Pick<EndingListing, 'title'>): string {
  return `Still there? ${title}`
}

/** Returns the end of a sentence such as "is listed until May 3", with the day in the owner's time zone. */
export function listedUntil({ expires_at }: Pick<EndingListing, 'expires_at'>, { timeZone }: Reader): string {
  const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone }).format(
    new Date(expires_at),
  )
  return Date.parse(expires_at) <= Date.now() ? `was listed until ${day}` : `is listed until ${day}`
}
