import { apiBase, types } from '#contract/constants.ts'
import { type ImageRow, mailedPhotoPath } from '#server/features/images/paths.ts'
import { type StoredReason, tellStoredReason } from '#server/features/matching/explain.ts'
import type { MailBody, Reader } from '#server/features/notifications/kinds.ts'
import { html } from '#server/platform/html.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
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
  { first_name, t }: Pick<Reader, 'first_name' | 't'>,
): MailBody {
  const kind = first.is_swap ? t('A swap for you') : t('A match for your wish list')
  const more = others.length - maxFurther
  const lines = others.slice(0, maxFurther).map((match): LinkLine => {
    const values = { owner: match.owner_username, reason: sentence(match.reason, t) }
    const rest = match.is_swap
      ? t('from {owner}: a swap. {reason}', values)
      : t('from {owner}: {reason}', values)
    const { listing_title: label } = match
    return { label, path: pathOf(match), rest: ` ${rest}`, text: `- ${label} ${rest}` }
  })
  if (more > 0) {
    const label = t('And {count, number} more.', { count: more })
    lines.push({ label, path: '/matches', text: label })
  }
  const hint = t('Already found one? Take it off your wish list and we will stop looking.')
  const hintMargin = lines.length > 0 ? '12px' : '0'
  return {
    subject:
      others.length === 0
        ? t('{kind}: {title}', { kind, title: first.listing_title })
        : t('{title}, and {count, number} more for your wish list', {
            title: first.listing_title,
            count: others.length,
          }),
    preview: t('{reason} {owner} has it.', {
      reason: sentence(first.reason, t),
      owner: first.owner_username,
    }),
    kind,
    title: first.listing_title,
    body: [
      picture(first, kind, t),
      paragraph(
        t('Hello {name},', { name: first_name }),
        t('you want “{want}”. {reason}', {
          want: first.want_title,
          reason: sentence(first.reason, t),
        }),
      ),
      ...(first.is_swap
        ? [t('And {owner} wants something that you have: you could swap.', { owner: first.owner_username })]
        : []),
      factTable(factsOf(first, t), '20px 0 8px', t),
    ],
    action: { label: t('See the listing'), path: pathOf(first) },
    after: [
      ...(lines.length > 0 ? [linkList(t('Also for your wish list:'), lines)] : []),
      { html: html`<p style="margin:${hintMargin} 0 0;">${hint}</p>`, text: hint },
    ],
    because: t('You get this note because “{want}” is on your wish list.', { want: first.want_title }),
    links: [{ label: t('Change my wish list'), path: '/my-listings?tab=want' }],
  }
}

function pathOf({ listing_id }: MailedMatch): string {
  return `/listings/${listing_id}`
}

/** Returns a reason as a sentence: with a capital and a full stop. */
export function sentence(reason: StoredReason, t: Translator): string {
  return `${t.capitalized(tellStoredReason(reason, t.language, 'interested'))}.`
}

function typeName(id: number, t: Translator): string {
  if (id === types.sell) return t('sell')
  return id === types.exchange ? t('exchange') : t('giveaway')
}

function factsOf({ owner_username, type_id, price, city, state }: MailedMatch, t: Translator): Fact[] {
  return [
    [t('From'), owner_username],
    [t('Type'), typeName(type_id, t)],
    [t('Price'), type_id === types.sell ? t.money(price) : ''],
    [t('Where'), [city, state].filter(Boolean).join(', ')],
  ]
}

/** Returns whether the listing matches because of rhubarb or one of its cultivars. */
function offersRhubarb(reason: StoredReason): boolean {
  const term = typeof reason === 'string' ? undefined : reason.offered.term
  return term === 'rhubarb' || term?.startsWith('rhubarb/') === true
}

/** Returns the photo of the listing with its title as alternative text, or a drawing for rhubarb. */
function picture(match: MailedMatch, kind: string, t: Translator) {
  const text = t('{kind}: {title}', { kind, title: match.listing_title })
  const photo = mailedPhotoPath(match)
  const isRhubarb = offersRhubarb(match.reason)
  if (photo === null && !isRhubarb) return { html: html``, text }
  const path = photo === null ? '/mail/rhubarb.jpg' : `${apiBase}/${photo}`
  const alt = photo === null ? t('A bunch of rhubarb') : match.listing_title
  return (publicUrl: string): MailPart => ({
    html: html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="background:#ECE9D8;"><img src="${publicUrl}${path}" width="300" alt="${alt}" style="display:block;width:300px;max-width:100%;height:auto;border:0;"></td></tr><tr><td style="height:20px;line-height:20px;font-size:0;">&nbsp;</td></tr></table>`,
    text,
  })
}
