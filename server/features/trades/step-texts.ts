import { limits, tradeDays } from '#contract/constants.ts'
import type { Notification, TradeNotificationKind } from '#contract/notifications.ts'
import type { Reader, Text } from '#server/features/notifications/kinds.ts'

/** `name` is undefined if the step is about no other member: a ring that was declined, a member who has left. */
interface StepDetails {
  readonly name: string | undefined
  readonly listing: string
  readonly kind: 'single' | 'swap' | 'ring'
  readonly pickup: string
}

const lapseDays = ({ kind }: StepDetails) =>
  kind === 'ring' ? tradeDays.ring.lapse : tradeDays.request.lapse

const texts: Record<TradeNotificationKind, (details: StepDetails) => Omit<Text, 'path'>> = {
  trade_requested: (details) => {
    const { name = 'A member', listing, kind } = details
    const label = 'See the request'
    const wait = `The request waits for ${lapseDays(details)} days.`
    if (kind === 'ring')
      return {
        title: `${name} proposes a ring`,
        body: `You would get “${listing}”. The ring holds when everyone has accepted. ${wait}`,
        label: 'See the ring',
      }
    if (kind === 'swap')
      return {
        title: `${name} proposes a swap`,
        body: `You would get “${listing}” for it. ${wait}`,
        label: 'See the swap',
      }
    return {
      title: `${name} would like “${listing}”`,
      body: `Nothing is promised until you accept. ${wait}`,
      label,
    }
  },
  trade_accepted: ({ name, listing }) => ({
    title: `“${listing}” is promised to you`,
    body: `${name ?? 'Everyone'} has accepted. Now agree on when to meet.`,
    label: 'Arrange the pickup',
  }),
  trade_in_line: ({ listing }) => ({
    title: `“${listing}” is promised to another member`,
    body: 'You keep your place in line, and we tell you if it becomes yours.',
    label: 'See your request',
  }),
  trade_declined: ({ name, listing, kind }) =>
    kind === 'ring'
      ? {
          title: 'The ring did not come together',
          body: 'Not everyone could join. Nothing is promised.',
          label: 'See the ring',
        }
      : {
          title: `“${listing}” goes to someone else, or stays`,
          body: name ? `${name} has declined the request.` : 'The request has ended.',
          label: 'See the request',
        },
  trade_withdrawn: ({ name, listing }) => ({
    title: `The trade of “${listing}” has ended`,
    body: name ? `${name} has withdrawn.` : 'It is over, and nothing is promised any more.',
    label: 'See the trade',
  }),
  trade_lapsed: ({ listing }) => ({
    title: `The trade of “${listing}” has lapsed`,
    body: 'Nobody took the next step in time, or the listing has ended.',
    label: 'See the trade',
  }),
  trade_next: ({ name = 'A member', listing }) => ({
    title: `“${listing}” is free again`,
    body: `${name} is next in line. Shall they get it?`,
    label: 'See the request',
  }),
  trade_reminder: ({ listing }) => ({
    title: `“${listing}” waits for the next step`,
    body: 'The trade lapses soon if nothing happens.',
    label: 'See the trade',
  }),
  trade_handed_over: ({ name = 'A member', listing }) => ({
    title: `${name} has confirmed a handover`,
    body: `It belongs to your trade of “${listing}”.`,
    label: 'See the trade',
  }),
  trade_done: ({ listing }) => ({
    title: `The trade of “${listing}” is done`,
    body: `Would you like to say thank you? ${limits.trade.thanks} characters are enough.`,
    label: 'Say thank you',
  }),
  trade_thanked: ({ name = 'A member', listing }) => ({
    title: `${name} thanks you`,
    body: `They have written a thank-you for “${listing}”.`,
    label: 'Read it',
  }),
  pickup_proposed: ({ name = 'A member', listing, pickup }) => ({
    title: `${name} proposes a pickup`,
    body: `For “${listing}”: ${pickup}.`,
    label: 'Answer',
  }),
  pickup_accepted: ({ name = 'A member', listing, pickup }) => ({
    title: `${name} has accepted the pickup`,
    body: `For “${listing}”: ${pickup}.`,
    label: 'See the pickup',
  }),
  pickup_reminder: ({ listing, pickup }) => ({
    title: 'Your pickup is soon',
    body: `“${listing}”: ${pickup}.`,
    label: 'See the pickup',
  }),
}

/** Returns the text of a step of a trade. */
export function stepText(name: TradeNotificationKind, { trade, user }: Notification, reader: Reader): Text {
  if (!trade) throw new Error('A step of a trade has no trade')
  const text = texts[name]({
    name: user.id === reader.id ? undefined : user.username,
    listing: trade.listing_title ?? 'a hidden listing',
    kind: trade.kind,
    pickup: trade.pickup_starts_at === null ? '' : localTime(trade.pickup_starts_at, reader.timeZone),
  })
  // The page that the notification in the app links to.
  const path = name === 'trade_next' ? `/listings/${trade.listing_id}#requests` : `/trades/${trade.id}`
  return { ...text, path }
}

function localTime(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(moment))
}
