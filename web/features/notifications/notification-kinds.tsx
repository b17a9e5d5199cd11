import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { categoryName } from '#contract/constants.ts'
import type { NoticeKind, NoticeListing } from '#contract/notices.ts'
import type { emptyFacts, Notification } from '#contract/notifications.ts'
import { pausedText } from '#contract/pauses.ts'
import { siteRules } from '#contract/report-cases.ts'
import { categoryLabel } from '#web/features/listings/categories.ts'
import { timeToEnd } from '#web/features/listings/end-time.ts'
import { formatPrice } from '#web/features/listings/price.ts'
import { type TradeStep, TradeStepText, tradeSteps } from '#web/features/trades/trade-notification-text.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { Icon } from '#web/ui/icon.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import css from './notification-row.module.css'

type Fact = keyof typeof emptyFacts
type Facts = { [Name in Fact]: NonNullable<Notification[Name]> }
/** A notification with the name of the member that it is about; undefined if that is the reader. */
type Named = { notification: Notification; name: ReactNode | undefined }

/** The pages that notifications link to. */
const links = {
  listing: (id: number) => linkOptions({ to: '/listings/$id', params: { id: String(id) } }),
  requests: (id: number) =>
    linkOptions({ to: '/listings/$id', params: { id: String(id) }, hash: 'requests' }),
  trade: (id: number) => linkOptions({ to: '/trades/$id', params: { id } }),
  member: (id: number) => linkOptions({ to: '/seller/$id', params: { id: String(id) } }),
  matches: () => linkOptions({ to: '/matches' }),
  invitations: () => linkOptions({ to: '/myfriends', search: { view: 'invitations' } }),
  desk: () => linkOptions({ to: '/desk' }),
  deskMembers: () => linkOptions({ to: '/desk/members' }),
  notifications: () => linkOptions({ to: '/notifications' }),
}
type NotificationLink = ReturnType<(typeof links)[keyof typeof links]>

/** How a kind is shown: its text, and the page that it links to. */
interface KindRow {
  text(named: Named): ReactNode
  link(notification: Notification): NotificationLink
}

/** Returns the row of a kind whose notifications have a fact. */
function rowOf<Name extends Fact>(
  fact: Name,
  row: {
    text: (value: Facts[Name], named: Named) => ReactNode
    link: (value: Facts[Name]) => NotificationLink
  },
): KindRow {
  const read = (notification: Notification) => notification[fact] as Facts[Name] | null
  return {
    text: (named) => {
      const value = read(named.notification)
      return value === null ? null : row.text(value, named)
    },
    link: (notification) => {
      const value = read(notification)
      return value === null ? links.notifications() : row.link(value)
    },
  }
}

const match = (isSwap: boolean) =>
  rowOf('match', {
    text: ({ listing_title, want_title, reason, more }, { name }) => (
      <>
        <span>
          {isSwap ? (
            <Trans>
              {name} has <b dir="auto">{listing_title}</b> and wants something of yours
            </Trans>
          ) : (
            <Trans>
              {name} has <b dir="auto">{listing_title}</b>
            </Trans>
          )}
        </span>
        <span className={css.reason}>
          {isSwap && (
            <span className={css.swap}>
              <Icon name="swap" size={16} />
              {t`swap`}
            </span>
          )}
          {more > 0 ? (
            <Trans>
              For “<bdi>{want_title}</bdi>”: {reason}.{' '}
              <Plural value={more} one="And # more." other="And # more." />
            </Trans>
          ) : (
            <Trans>
              For “<bdi>{want_title}</bdi>”: {reason}.
            </Trans>
          )}
        </span>
      </>
    ),
    link: ({ listing_id, more }) => (more > 0 ? links.matches() : links.listing(listing_id)),
  })

const tradeStep = (step: TradeStep) =>
  rowOf('trade', {
    text: (trade, { name }) => <TradeStepText step={step} name={name} trade={trade} />,
    link: ({ id, listing_id }) => (step === 'trade_next' ? links.requests(listing_id) : links.trade(id)),
  })

/** The row of every kind. `test/notification-kinds.test.ts` does not compile if a kind that the server declares has none. */
export const kindRows = {
  friend_request: {
    text: ({ name }) => (
      <span>
        <Trans>{name} would like to be your friend</Trans>
      </span>
    ),
    link: links.invitations,
  },
  friend_accepted: {
    text: ({ name }) => (
      <span>
        <Trans>{name} and you are friends now</Trans>
      </span>
    ),
    link: ({ user }) => links.member(user.id),
  },
  match: match(false),
  swap: match(true),
  listing_ending: rowOf('listing', {
    text: ({ title, expires_at }) => (
      <>
        <span>
          <Time isDay at={expires_at} format={(at) => endSentence(title, at)} />
        </span>
        <span className={css.reason}>{t`Still there? List it again for the same time.`}</span>
      </>
    ),
    link: ({ id }) => links.listing(id),
  }),
  price_dropped: rowOf('price_drop', {
    text: ({ listing_title, from, to }) => (
      <>
        <span>
          <Trans>
            <b dir="auto">{listing_title}</b> is cheaper now
          </Trans>
        </span>
        <span className={css.reason}>
          {t`${{ to: formatPrice(to) }} instead of ${{ from: formatPrice(from) }}. You asked about it.`}
        </span>
      </>
    ),
    link: ({ listing_id }) => links.listing(listing_id),
  }),
  notice: rowOf('notice', {
    text: ({ kind, listings, rule, text, ends_at }) => (
      <>
        <span dir="auto">{noticeTitle(kind, listings)}</span>
        {listingLines(listings).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a notice never change, and two listings may have one title
          <span key={index} className={css.reason} dir="auto">
            {line}
          </span>
        ))}
        {ends_at !== null && (
          <span className={css.reason}>
            <Time at={ends_at} format={(at) => translateMessage(pausedText(shortTime(at)))} />
          </span>
        )}
        {rule !== null && <span className={css.reason}>{translateMessage(siteRules[rule])}</span>}
        {text !== null && (
          <span className={css.reason} dir="auto">
            {text}
          </span>
        )}
      </>
    ),
    link: ({ kind }) => noticeLink(kind),
  }),
  ring: {
    text: () => <span>{t`A ring was found in which you get something you want`}</span>,
    link: links.matches,
  },
  ...(Object.fromEntries(tradeSteps.map((step) => [step, tradeStep(step)])) as Record<TradeStep, KindRow>),
} satisfies Record<string, KindRow>

function noticeLink(kind: NoticeKind): NotificationLink {
  if (kind === 'registrations_waiting') return links.deskMembers()
  return kind === 'appealed' ? links.desk() : links.notifications()
}

/** Returns what the desk has done. */
function noticeTitle(kind: NoticeKind, listings: readonly NoticeListing[]): string {
  const title = listings[0]?.title ?? ''
  switch (kind) {
    case 'listing_hidden':
      return plural(listings.length, {
        one: `Your listing “${title}” is hidden: only you see it. You can write to us.`,
        other: '# of your listings are hidden: only you see them. You can write to us.',
      })
    case 'listing_shown':
      return plural(listings.length, {
        one: `Your listing “${title}” is shown again`,
        other: '# of your listings are shown again',
      })
    case 'first_listing_shown':
      return plural(listings.length, {
        one: `Your listing “${title}” is shown now`,
        other: '# of your listings are shown now',
      })
    case 'listing_removed':
      return t`Your listing “${title}” was removed. You can write to us.`
    case 'listing_categorized':
      return plural(listings.length, {
        one: `The category of your listing “${title}” was corrected. You can write to us.`,
        other: 'The categories of # of your listings were corrected. You can write to us.',
      })
    case 'warned':
      return t`A word about the rules. You can write to us.`
    case 'suspended':
      return t`Your account was suspended`
    case 'suspension_kept':
      return t`Your account stayed suspended`
    case 'restored':
      return t`Your account is open again`
    case 'paused':
      return t`A pause for your account. You can write to us.`
    case 'unpaused':
      return t`The pause of your account has ended`
    case 'report_answered':
      return t`About your report`
    case 'appealed':
      return t`A suspended member has answered`
    case 'registrations_waiting':
      return t`Somebody has registered and waits for a moderator`
  }
}

/** Returns a line for each listing, unless the title of the notice has said all. */
function listingLines(listings: readonly NoticeListing[]): string[] {
  const [first, ...others] = listings
  if (first?.category === null && others.length === 0) return []
  return listings.map(({ title, category }) => {
    if (category === null) return title
    const from = categoryLabel(categoryName(category.from))
    const to = categoryLabel(categoryName(category.to))
    return t`${title}: ${to} instead of ${from}`
  })
}

/** Returns "Tomatoes ends in 2 days". */
function endSentence(title: string, expiresAt: string) {
  const { days, isOver } = timeToEnd(expiresAt)
  return isOver ? (
    <Trans>
      <b dir="auto">{title}</b>{' '}
      <Plural
        value={days}
        _0="ended today"
        _1="ended yesterday"
        one="ended # day ago"
        other="ended # days ago"
      />
    </Trans>
  ) : (
    <Trans>
      <b dir="auto">{title}</b>{' '}
      <Plural value={days} _0="ends today" _1="ends tomorrow" one="ends in # day" other="ends in # days" />
    </Trans>
  )
}

/** A kind that is newer than the page. */
const unknownRow: KindRow = {
  text: () => <span>{t`Something new happened. Reload the page to see it.`}</span>,
  link: links.notifications,
}

const rows = new Map<string, KindRow>(Object.entries(kindRows))

/** Returns how a notification is shown. */
export function rowOfKind(kind: string): KindRow {
  return rows.get(kind) ?? unknownRow
}
