import { apiBase, types } from '#contract/constants.ts'
import { type ImageRow, mailedPhotoPath } from '#server/features/images/paths.ts'
import { type StoredReason, tellStoredReason } from '#server/features/matching/explain.ts'
import { readListing } from '#server/features/matching/pipeline.ts'
import type { MailBody } from '#server/features/notifications/kinds.ts'
import { html } from '#server/platform/html.ts'
import {
  type Fact,
  factTable,
  type LinkLine,
  linkList,
  type MailPart,
  paragraph,
} from '#server/platform/render-mail.ts'

/** A match in the mail. */
export interface MailedMatch extends ImageRow {
  readonly want_title: string
  readonly listing_id: number
  readonly listing_title: string
  readonly type_id: number
  readonly price: number
  readonly reason: StoredReason
  readonly is_swap: boolean
  readonly owner_username: string
  readonly city: string | null
  readonly state: string | null
}

const maxFurther = 9

/** Returns the mail about a member's matches: the first in full, some others in a line each, and the number of the rest. */
export function matchesMail(
  [first, ...others]: readonly [MailedMatch, ...MailedMatch[]],
  to: { first_name: string },
): MailBody {
  const kind = first.is_swap ? 'A swap for you' : 'A match for your wish list'
  const more = others.length - maxFurther
  const lines = others.slice(0, maxFurther).map((match): LinkLine => {
    const { is_swap, listing_title, owner_username, reason } = match
    const rest = ` from ${owner_username}: ${is_swap ? 'a swap. ' : ''}${sentence(reason)}`
    return { label: listing_title, path: pathOf(match), rest, text: `- ${listing_title}${rest}` }
  })
  if (more > 0) lines.push({ label: `And ${more} more.`, path: '/matches', text: `And ${more} more.` })
  const hint = 'Already found one? Take it off your wish list and we will stop looking.'
  const hintMargin = lines.length > 0 ? '12px' : '0'
  return {
    subject:
      others.length === 0
        ? `${kind}: ${first.listing_title}`
        : `${first.listing_title}, and ${others.length} more for your wish list`,
    preview: `${sentence(first.reason)} ${first.owner_username} has it.`,
    kind,
    title: first.listing_title,
    body: [
      picture(first, kind),
      paragraph(`Hello ${to.first_name},`, `you wished for “${first.want_title}”. ${sentence(first.reason)}`),
      ...(first.is_swap
        ? [`And ${first.owner_username} wants something that you have: you could swap.`]
        : []),
      factTable(factsOf(first), '20px 0 8px'),
    ],
    action: { label: 'See the listing', path: pathOf(first) },
    after: [
      ...(lines.length > 0 ? [linkList('Also for your wish list:', lines)] : []),
      { html: html`<p style="margin:${hintMargin} 0 0;">${hint}</p>`, text: hint },
    ],
    because: `You get this note because “${first.want_title}” is on your wish list.`,
    links: [{ label: 'Change my wish list', path: '/my-listings?tab=want' }],
  }
}

function pathOf({ listing_id }: MailedMatch): string {
  return `/listings/${listing_id}`
}

/** Returns a reason as a sentence: with a capital and a full stop. */
export function sentence(reason: StoredReason): string {
  const told = tellStoredReason(reason, 'interested')
  return `${told.charAt(0).toLocaleUpperCase('en')}${told.slice(1)}.`
}

function factsOf({ owner_username, type_id, price, city, state }: MailedMatch): Fact[] {
  const type = type_id === types.sell ? 'sell' : type_id === types.exchange ? 'exchange' : 'giveaway'
  return [
    ['From', owner_username],
    ['Type', type],
    ['Price', type_id === types.sell ? `$${price.toFixed(2)}` : ''],
    ['Where', [city, state].filter(Boolean).join(', ')],
  ]
}

/** Returns the photo of the listing with its title as alternative text, or a drawing for rhubarb. */
function picture(match: MailedMatch, kind: string) {
  const text = `${kind}: ${match.listing_title}`
  const photo = mailedPhotoPath(match)
  const isRhubarb = readListing({ title: match.listing_title, description: '' }).byTerm.has('rhubarb')
  if (photo === null && !isRhubarb) return { html: html``, text }
  const path = photo === null ? '/mail/rhubarb.jpg' : `${apiBase}/${photo}`
  const alt = photo === null ? 'A bunch of rhubarb' : match.listing_title
  return (publicUrl: string): MailPart => ({
    html: html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="background:#ECE9D8;"><img src="${publicUrl}${path}" width="300" alt="${alt}" style="display:block;width:300px;max-width:100%;height:auto;border:0;"></td></tr><tr><td style="height:20px;line-height:20px;font-size:0;">&nbsp;</td></tr></table>`,
    text,
  })
}
