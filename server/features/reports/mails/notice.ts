import { type CategoryId, categoryName } from '#contract/constants.ts'
import type { Notice, NoticeKind } from '#contract/notices.ts'
import { pausedText } from '#contract/pauses.ts'
import { siteRules } from '#contract/report-cases.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { type MailContent, type MailPart, paragraph } from '#server/platform/render-mail.ts'

function subjectOf({ kind, listings }: Notice, t: Translator): string {
  const values = { title: listings[0]?.title ?? '', count: listings.length }
  switch (kind) {
    case 'listing_hidden':
      return t(
        '{count, plural, one {Your listing “{title}” is hidden} other {# of your listings are hidden}}',
        values,
      )
    case 'listing_shown':
      return t(
        '{count, plural, one {Your listing “{title}” is shown again} other {# of your listings are shown again}}',
        values,
      )
    case 'first_listing_shown':
      return t(
        '{count, plural, one {Your listing “{title}” is shown now} other {# of your listings are shown now}}',
        values,
      )
    case 'listing_removed':
      return t('Your listing “{title}” was removed', values)
    case 'listing_categorized':
      return t(
        '{count, plural, one {The category of your listing “{title}” was corrected} other {The categories of # of your listings were corrected}}',
        values,
      )
    case 'warned':
      return t('A word about the rules')
    case 'suspended':
      return t('Your membership is suspended')
    case 'suspension_kept':
      return t('Your membership stays suspended')
    case 'restored':
      return t('Your account is open again')
    case 'paused':
      return t('A pause for your account')
    case 'unpaused':
      return t('The pause of your account has ended')
    case 'report_answered':
      return t('About your report')
    case 'appealed':
      return t('A suspended member has answered')
    case 'registrations_waiting':
      return t('Somebody has registered and waits for a moderator')
  }
}

/** Returns the listings, a line each, unless the subject has said all. */
function listingLines({ listings }: Notice, t: Translator): MailPart | undefined {
  const [first, ...others] = listings.map(({ title, category }) =>
    category === null
      ? title
      : t('{title}: {to} instead of {from}', {
          title,
          from: categoryText(category.from, t),
          to: categoryText(category.to, t),
        }),
  )
  const saysAll = listings.every(({ category }) => category === null) && others.length === 0
  return first === undefined || saysAll ? undefined : paragraph(first, ...others)
}

function categoryText(id: CategoryId | null, t: Translator): string {
  switch (categoryName(id)) {
    case 'produce':
      return t('produce')
    case 'seeds':
      return t('seeds')
    case 'plants':
      return t('plants')
    case 'uncategorized':
      return t('uncategorized')
  }
}

/** Returns how the member can answer. */
function answerTo(kind: NoticeKind, email: string, t: Translator): string | undefined {
  switch (kind) {
    case 'listing_hidden':
      return t('Only you see it now. If you think that is a mistake, write to {email}.', { email })
    case 'listing_removed':
    case 'listing_categorized':
    case 'warned':
    case 'paused':
      return t('If you think that is a mistake, write to {email}.', { email })
    case 'suspended':
      return t(
        'Log in to see how long, and to answer once if you think that is a mistake. You can also write to {email}.',
        { email },
      )
    case 'suspension_kept':
      return t(
        'We have read what you wrote. Log in to see how long the suspension lasts. You can also write to {email}.',
        {
          email,
        },
      )
    default:
      return undefined
  }
}

function pathOf(kind: NoticeKind): string {
  if (kind === 'suspended' || kind === 'suspension_kept') return '/login'
  if (kind === 'registrations_waiting') return '/desk/members'
  return kind === 'appealed' ? '/desk' : '/notifications'
}

interface Addressee {
  readonly email: string
  readonly first_name: string
}

/** Returns the mail that tells a member what was done, by which rule, and how to answer. */
export function noticeMail(
  { email, first_name }: Addressee,
  notice: Notice,
  supportEmail: string,
  t: Translator,
): MailContent {
  const { kind, rule, text, ends_at } = notice
  const subject = subjectOf(notice, t)
  const lines = listingLines(notice, t)
  const answer = answerTo(kind, supportEmail, t)
  return {
    to: email,
    t,
    subject,
    title: subject,
    body: [
      t('Hello {name},', { name: first_name }),
      ...(lines ? [lines] : []),
      ...(ends_at ? [t(pausedText(t.date(ends_at, 'appointment')))] : []),
      ...(rule ? [t('The rule: {rule}', { rule: t(siteRules[rule]) })] : []),
      ...(text ? [text] : []),
      ...(answer ? [answer] : []),
    ],
    action: { label: t('Open {site}', { site: t.siteName }), path: pathOf(kind) },
  }
}
