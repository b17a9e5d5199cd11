import { handoverConfirmDays, limits, tradeDays } from '#contract/constants.ts'
import type { Notification } from '#contract/notifications.ts'
import type { Reader, Text } from '#server/features/notifications/kinds.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'

/** `name` is undefined if the step is about no other member: a ring that was declined, a member who has left. */
interface StepDetails {
  readonly t: Translator
  readonly name: string | undefined
  readonly listing: string
  readonly kind: 'single' | 'swap' | 'ring'
  readonly isGiven: boolean
  readonly pickup: string
}

type StepText = Omit<Text, 'path'>

function requestedText({ t, name, listing, kind }: StepDetails): StepText {
  const from = name ?? t('A member')
  const { ring, request } = tradeDays
  if (kind === 'ring')
    return {
      title: t('{name} proposes a ring', { name: from }),
      body: t(
        'You would get “{listing}”. The ring holds when everyone has accepted. The request waits for {days, plural, one {# day} other {# days}}.',
        { listing, days: ring.lapse },
      ),
      label: t('See the ring'),
    }
  if (kind === 'swap')
    return {
      title: t('{name} proposes a swap', { name: from }),
      body: t(
        'You would get “{listing}” for it. The request waits for {days, plural, one {# day} other {# days}}.',
        { listing, days: request.lapse },
      ),
      label: t('See the swap'),
    }
  return {
    title: t('{name} would like “{listing}”', { name: from, listing }),
    body: t(
      'Nothing is promised until you accept. The request waits for {days, plural, one {# day} other {# days}}.',
      { days: request.lapse },
    ),
    label: t('See the request'),
  }
}

function declinedText({ t, name, listing, kind }: StepDetails): StepText {
  if (kind === 'ring')
    return {
      title: t('The ring did not come together'),
      body: t('Not everyone could join. Nothing is promised.'),
      label: t('See the ring'),
    }
  return {
    title: t('“{listing}” goes to someone else, or stays', { listing }),
    body: name ? t('{name} has declined the request.', { name }) : t('The request has ended.'),
    label: t('See the request'),
  }
}

function goneText({ t, listing, kind, isGiven }: StepDetails): StepText {
  if (kind === 'ring')
    return {
      title: t('The ring did not come together'),
      body: t('One of its listings is not offered any more. Nothing is promised.'),
      label: t('See the ring'),
    }
  return {
    title: isGiven
      ? t('“{listing}” went to another neighbor', { listing })
      : t('“{listing}” is not offered any more', { listing }),
    body: t('Your request has ended.'),
    label: t('See the request'),
  }
}

const texts = {
  trade_requested: requestedText,
  trade_accepted: ({ t, name, listing }) => ({
    title: t('“{listing}” is promised to you', { listing }),
    body: name
      ? t('{name} has accepted. Now agree on when to meet.', { name })
      : t('Everyone has accepted. Now agree on when to meet.'),
    label: t('Arrange the pickup'),
  }),
  trade_in_line: ({ t, listing }) => ({
    title: t('“{listing}” is promised to another member', { listing }),
    body: t('You keep your place in line, and we tell you if it becomes yours.'),
    label: t('See your request'),
  }),
  trade_declined: declinedText,
  trade_withdrawn: ({ t, name, listing }) => ({
    title: t('The trade of “{listing}” has ended', { listing }),
    body: name ? t('{name} has withdrawn.', { name }) : t('It is over, and nothing is promised any more.'),
    label: t('See the trade'),
  }),
  trade_lapsed: ({ t, listing }) => ({
    title: t('The trade of “{listing}” has lapsed', { listing }),
    body: t('Nobody took the next step in time, or the listing has ended.'),
    label: t('See the trade'),
  }),
  trade_next: ({ t, name, listing }) => ({
    title: t('“{listing}” is free again', { listing }),
    body: t('{name} is next in line. Shall they get it?', { name: name ?? t('A member') }),
    label: t('See the request'),
  }),
  trade_reminder: ({ t, listing }) => ({
    title: t('“{listing}” waits for the next step', { listing }),
    body: t('The trade lapses soon if nothing happens.'),
    label: t('See the trade'),
  }),
  trade_handed_over: ({ t, name, listing }) => ({
    title: t('{name} has confirmed a handover', { name: name ?? t('A member') }),
    body: t('It belongs to your trade of “{listing}”.', { listing }),
    label: t('See the trade'),
  }),
  trade_received: ({ t, name, listing }) => ({
    title: t('{name} says they have “{listing}”', { name: name ?? t('A member'), listing }),
    body: t(
      'Is that right? Without an answer it counts as handed over in {days, plural, one {# day} other {# days}}.',
      { days: handoverConfirmDays },
    ),
    label: t('Answer'),
  }),
  trade_not_received: ({ t, name, listing }) => ({
    title: t('“{listing}” is not handed over yet, {name} says', { name: name ?? t('A member'), listing }),
    body: t('It stays promised to you. Please write to each other.'),
    label: t('See the trade'),
  }),
  trade_gone: goneText,
  trade_done: ({ t, listing }) => ({
    title: t('The trade of “{listing}” is done', { listing }),
    body: t('Would you like to say thank you? {max, number} characters are enough.', {
      max: limits.trade.thanks,
    }),
    label: t('Say thank you'),
  }),
  trade_thanked: ({ t, name, listing }) => ({
    title: t('{name} thanks you', { name: name ?? t('A member') }),
    body: t('They have written a thank-you for “{listing}”.', { listing }),
    label: t('Read it'),
  }),
  pickup_proposed: ({ t, name, listing, pickup }) => ({
    title: t('{name} proposes a pickup', { name: name ?? t('A member') }),
    body: t('For “{listing}”: {pickup}.', { listing, pickup }),
    label: t('Answer'),
  }),
  pickup_accepted: ({ t, name, listing, pickup }) => ({
    title: t('{name} has accepted the pickup', { name: name ?? t('A member') }),
    body: t('For “{listing}”: {pickup}.', { listing, pickup }),
    label: t('See the pickup'),
  }),
  pickup_reminder: ({ t, listing, pickup }) => ({
    title: t('Your pickup is soon'),
    body: t('“{listing}”: {pickup}.', { listing, pickup }),
    label: t('See the pickup'),
  }),
} satisfies Record<string, (details: StepDetails) => StepText>

/**
 * The steps of a trade that members are told of. `trade_in_line`: the listing is promised to another member, the request stays in line.
 * `trade_next`: a promise has ended, and this is the next request in line. `trade_reminder`: the trade lapses soon.
 * `trade_received`: the taker says that they have it. `trade_gone`: the listing went to another member, or is not offered any more.
 */
export type NotifiedStep = keyof typeof texts
export const notifiedSteps = Object.keys(texts) as NotifiedStep[]

/** Returns the text of a step of a trade. */
export function stepText(name: NotifiedStep, { trade, user }: Notification, { id, t }: Reader): Text {
  if (!trade) throw new Error('A step of a trade has no trade')
  const text = texts[name]({
    t,
    name: user.id === id ? undefined : user.username,
    listing: trade.listing_title ?? t('a hidden listing'),
    kind: trade.kind,
    isGiven: trade.end_reason === 'given',
    pickup: trade.pickup_starts_at === null ? '' : t.date(trade.pickup_starts_at, 'appointment'),
  })
  // The page that the notification in the app links to.
  const path = name === 'trade_next' ? `/listings/${trade.listing_id}#requests` : `/trades/${trade.id}`
  return { ...text, path }
}
