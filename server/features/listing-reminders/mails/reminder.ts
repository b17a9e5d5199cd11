import { html } from '#server/platform/html.ts'
import type { Mail } from '#server/platform/mail.ts'
import { mailPage } from '#server/platform/mail-page.ts'
import type { MailContext } from '#server/platform/render-mail.ts'

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
  { publicUrl, supportEmail }: MailContext,
): Mail {
  const further = others.slice(0, maxFurther)
  const more = others.length - further.length
  const greeting = `Hello ${to.first_name},`
  const question = `“${first.title}” ${listedUntil(first)}. Is it still there?`
  const how = 'One tap lists it again for the same time, or says that it is gone. You need no login.'
  const label = 'Answer'
  const url = ({ path }: EndingListing) => publicUrl + path
  const myLists = `${publicUrl}/my-listings`
  const because = 'You get this note because you have listed it. We ask once.'
  const choose = `${publicUrl}/profile/edit`
  const link = 'color:#6B1A30;'
  return {
    to: to.email,
    subject: reminderSubject(first, others),
    html: mailPage({
      publicUrl,
      supportEmail,
      title: 'Still there?',
      body: html`<p style="margin:0 0 12px;">${greeting}</p><p style="margin:0 0 12px;">${question}</p><p style="margin:0;">${how}</p>`,
      action: { label, url: url(first) },
      ...(further.length > 0 && {
        after: html`<p style="margin:0 0 4px;">And these?</p>${further.map(
          (listing) =>
            html`<p style="margin:0 0 4px;"><a href="${url(listing)}" style="${link}">${listing.title}</a> ${listedUntil(listing)}.</p>`,
        )}${more > 0 ? html`<p style="margin:0;"><a href="${myLists}" style="${link}">And ${more} more.</a></p>` : ''}`,
      }),
      foot: html`${because} <a href="${choose}" style="${link}">Choose what we mail you</a>.`,
    }),
    text: [
      greeting,
      `${question} ${how}`,
      `${label}: ${url(first)}`,
      ...(further.length > 0
        ? [
            [
              'And these?',
              ...further.map((listing) => `- “${listing.title}” ${listedUntil(listing)}: ${url(listing)}`),
              ...(more > 0 ? [`And ${more} more: ${myLists}`] : []),
            ].join('\n'),
          ]
        : []),
      `${because} Choose what we mail you: ${choose}`,
      `Questions? Write to ${supportEmail}.`,
    ].join('\n\n'),
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
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
