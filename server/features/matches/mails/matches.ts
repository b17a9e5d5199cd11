import { apiBase, types } from '#contract/constants.ts'
import { type ImageRow, mailedPhotoPath } from '#server/features/images/paths.ts'
import { readListing } from '#server/features/matching/pipeline.ts'
import { type Html, html } from '#server/platform/html.ts'
import type { Mail } from '#server/platform/mail.ts'
import { mailPage } from '#server/platform/mail-page.ts'
import type { MailContext } from '#server/platform/render-mail.ts'

/** A match in the mail. */
export interface MailedMatch extends ImageRow {
  readonly want_title: string
  readonly listing_id: number
  readonly listing_title: string
  readonly type_id: number
  readonly price: number
  readonly reason: string
  readonly is_swap: boolean
  readonly owner_username: string
  readonly city: string | null
  readonly state: string | null
}

const maxFurther = 9

/** The content of the mail for its HTML and its text. */
interface Content {
  readonly first: MailedMatch
  /** The other matches that are listed, and the number of the rest. */
  readonly further: readonly MailedMatch[]
  readonly more: number
  readonly kind: string
  readonly greeting: string
  readonly reason: string
  readonly swap: string
  readonly facts: readonly [string, string][]
  readonly because: string
  readonly url: (path: string) => string
}

const hint = 'Already found one? Take it off your wish list and we will stop looking.'
const link = 'color:#6B1A30;'
const paths = { wantList: '/my-listings?tab=want', choose: '/profile/edit', matches: '/matches' }

/**
 * Returns the mail about a member's matches: the first in full, some others in a line each, and the number of the rest. `oneClick` stops these mails.
 */
export function matchesMail(
  to: { email: string; first_name: string },
  [first, ...others]: readonly [MailedMatch, ...MailedMatch[]],
  oneClick: string,
  context: MailContext,
): Mail {
  const further = others.slice(0, maxFurther)
  const content: Content = {
    first,
    further,
    more: others.length - further.length,
    kind: first.is_swap ? 'A swap for you' : 'A match for your wish list',
    greeting: `Hello ${to.first_name},`,
    reason: `you wished for “${first.want_title}”. ${sentence(first.reason)}`,
    swap: first.is_swap ? `And ${first.owner_username} wants something that you have: you could swap.` : '',
    facts: factsOf(first),
    because: `You get this note because “${first.want_title}” is on your wish list.`,
    url: (path) => context.publicUrl + path,
  }
  return {
    to: to.email,
    subject:
      others.length === 0
        ? `${content.kind}: ${first.listing_title}`
        : `${first.listing_title}, and ${others.length} more for your wish list`,
    html: asHtml(content, context),
    text: asText(content, context),
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function asHtml(content: Content, context: MailContext): string {
  const { first, further, kind, greeting, reason, swap, facts, because, url } = content
  return mailPage({
    ...context,
    preview: `${sentence(first.reason)} ${first.owner_username} has it.`,
    kind,
    title: first.listing_title,
    body: html`${picture(first, context.publicUrl)}<p style="margin:0 0 12px;">${greeting}<br>${reason}</p>${swap ? html`<p style="margin:0 0 12px;">${swap}</p>` : ''}${table(facts)}`,
    action: { label: 'See the listing', url: url(pathOf(first)) },
    after: html`${further.length > 0 ? furtherAsHtml(content) : ''}<p style="margin:${further.length > 0 ? '12px' : '0'} 0 0;">${hint}</p>`,
    foot: html`${because}<br><a href="${url(paths.wantList)}" style="${link}">Change my wish list</a> · <a href="${url(paths.choose)}" style="${link}">Choose what we mail you</a>.`,
  })
}

function furtherAsHtml({ further, more, url }: Content): Html {
  const lines = further.map(
    (match) =>
      html`<p style="margin:0 0 4px;"><a href="${url(pathOf(match))}" style="${link}">${match.listing_title}</a> from ${match.owner_username}: ${inShort(match)}</p>`,
  )
  const rest =
    more > 0
      ? html`<p style="margin:0 0 12px;"><a href="${url(paths.matches)}" style="${link}">And ${more} more.</a></p>`
      : ''
  return html`<p style="margin:0 0 4px;">Also for your wish list:</p>${lines}${rest}`
}

function asText(content: Content, { supportEmail }: MailContext): string {
  const { first, further, more, kind, greeting, reason, swap, facts, because, url } = content
  const others = [
    'Also for your wish list:',
    ...further.map(
      (match) =>
        `- ${match.listing_title} from ${match.owner_username}: ${inShort(match)} ${url(pathOf(match))}`,
    ),
    ...(more > 0 ? [`And ${more} more. ${url(paths.matches)}`] : []),
  ]
  return [
    `${kind}: ${first.listing_title}`,
    `${greeting}\n${reason}`,
    ...(swap ? [swap] : []),
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    `See the listing: ${url(pathOf(first))}`,
    ...(further.length > 0 ? [others.join('\n')] : []),
    hint,
    `${because} Change my wish list: ${url(paths.wantList)}`,
    `Choose what we mail you: ${url(paths.choose)}`,
    `Questions? Write to ${supportEmail}.`,
  ].join('\n\n')
}

function pathOf({ listing_id }: MailedMatch): string {
  return `/listings/${listing_id}`
}

/** Returns a reason as a sentence: with a capital and a full stop. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toLocaleUpperCase('en')}${reason.slice(1)}.`
}

function inShort({ is_swap, reason }: MailedMatch): string {
  return `${is_swap ? 'a swap. ' : ''}${sentence(reason)}`
}

function factsOf({ owner_username, type_id, price, city, state }: MailedMatch): [string, string][] {
  const where = [city, state].filter(Boolean).join(', ')
  const type = type_id === types.sell ? 'sell' : type_id === types.exchange ? 'exchange' : 'giveaway'
  const facts: [string, string][] = [
    ['From', owner_username],
    ['Type', type],
    ['Price', type_id === types.sell ? `$${price.toFixed(2)}` : ''],
    ['Where', where],
  ]
  return facts.filter(([, value]) => value !== '')
}

const font = "Besley, Georgia, 'Times New Roman', Verdana, sans-serif"

/** Returns the photo of the listing with its title as alternative text, or a drawing for rhubarb. */
function picture(match: MailedMatch, publicUrl: string): Html {
  const photo = mailedPhotoPath(match)
  const isRhubarb = readListing({ title: match.listing_title, description: '' }).byTerm.has('rhubarb')
  if (photo === null && !isRhubarb) return html``
  const source = photo === null ? `${publicUrl}/mail/rhubarb.jpg` : `${publicUrl}${apiBase}/${photo}`
  const alt = photo === null ? 'A bunch of rhubarb' : match.listing_title
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="background:#ECE9D8;"><img src="${source}" width="300" alt="${alt}" style="display:block;width:300px;max-width:100%;height:auto;border:0;"></td></tr><tr><td style="height:20px;line-height:20px;font-size:0;">&nbsp;</td></tr></table>`
}

function table(facts: readonly [string, string][]): Html {
  const rows = facts.map(
    ([name, value]) => html`<tr>
<td style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:14px;line-height:20px;color:#872338;">${name}</td>
<td align="right" style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:16px;line-height:20px;color:#292929;">${value}</td>
</tr>`,
  )
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid #C9C2C0;margin:20px 0 8px;">${rows}</table>`
}
