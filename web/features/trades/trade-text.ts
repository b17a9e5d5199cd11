import { tradeDays } from '#contract/constants.ts'
import type { BriefMember } from '#contract/fields.ts'
import type { Trade, TradeLeg } from '#contract/trades.ts'
import { formerMember } from '#web/features/members/former-member.ts'

type StampTone = 'waiting' | 'promised' | 'ended'

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' })
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** Returns "1st", "2nd", "11th". */
export function ordinal(count: number): string {
  return `${count}${suffixes[ordinals.select(count)] ?? 'th'}`
}

/** Returns the word on the stamp of a trade. */
export function stateWord({ kind, state }: Pick<Trade, 'kind' | 'state'>): string {
  if (state === 'requested') return kind === 'single' ? 'asked' : 'proposed'
  return state === 'accepted' ? 'promised' : state
}

export function stampTone({ state }: Pick<Trade, 'state'>): StampTone {
  if (state === 'requested') return 'waiting'
  return state === 'accepted' || state === 'done' ? 'promised' : 'ended'
}

/** Returns the other members of a trade who have not left, in the order of giving. */
export function othersIn({ legs }: Pick<Trade, 'legs'>, me: number | undefined): BriefMember[] {
  const members = legs.flatMap(({ giver, taker }) => [giver, taker]).filter((one) => one !== null)
  return [...new Map(members.map((one) => [one.id, one])).values()].filter(({ id }) => id !== me)
}

/** Returns who asked for the listing or proposed the trade; null if they have left. */
export function requesterOf({
  legs,
  requester_id,
}: Pick<Trade, 'legs' | 'requester_id'>): BriefMember | null {
  return legs.flatMap(({ giver, taker }) => [giver, taker]).find((one) => one?.id === requester_id) ?? null
}

const list = new Intl.ListFormat('en-US', { style: 'long', type: 'conjunction' })

/** Returns "ann", "ann and ben", "ann, ben, and cat". */
export function namesOf(members: readonly Pick<BriefMember, 'username'>[]): string {
  return members.length === 0 ? formerMember : list.format(members.map(({ username }) => username))
}

/** Returns the sentence that tells the member what the trade waits for. */
export function nextStep(trade: Trade, me: number | undefined): string {
  const { kind, state, allowed } = trade
  const names = namesOf(othersIn(trade, me))
  switch (state) {
    case 'requested':
      return requestedStep(trade, names)
    case 'accepted':
      return acceptedStep(trade, me, names)
    case 'done':
      return allowed.includes('thank')
        ? `Say thank you to ${namesToThank(trade, me)}?`
        : 'All is handed over.'
    case 'declined':
      return kind === 'ring' ? 'Not everyone agreed.' : 'The request was declined.'
    case 'withdrawn':
      return 'It was withdrawn.'
    case 'lapsed':
      return 'It lapsed: nobody took the next step in time, or the listing has ended.'
  }
}

function requestedStep(trade: Trade, names: string): string {
  const { kind, legs, allowed } = trade
  if (kind === 'ring' && allowed.includes('accept'))
    return `${nameOf(requesterOf(trade))} proposes a ring. It holds when all have accepted within ${tradeDays.ring.lapse} days.`
  if (kind === 'ring') return 'You have agreed. It holds when all have.'
  if (allowed.includes('accept'))
    return kind === 'swap' ? `${names} proposes a swap.` : `${names} would like this.`
  const position = positionIn(legs)
  if (position > 1) return `You are ${ordinal(position)} in line. Waiting for ${names}.`
  return `Waiting for ${names} to answer.`
}

function acceptedStep({ pickup, legs, allowed }: Trade, me: number | undefined, names: string): string {
  if (allowed.includes('accept_pickup')) return 'A time for the pickup is proposed. Does it suit you?'
  if (pickup?.accepted === false && pickup.proposed_by === me)
    return `Waiting for ${names} to accept the pickup.`
  if (!allowed.includes('hand_over')) return `Waiting for ${names}.`
  if (pickup === null) return 'It is promised. Arrange the pickup, or write to each other.'
  const awaited = legs.find(({ taker_id, handed_over }) => taker_id === me && !handed_over)
  return awaited === undefined ? `${names} comes for it.` : 'It is promised to you. Come for it at this time.'
}

/** Returns the names of the receivers of a thank-you: the other side, or in a ring the giver. */
export function namesToThank(trade: Pick<Trade, 'kind' | 'legs'>, me: number | undefined): string {
  const received = trade.kind === 'ring' ? trade.legs.find(({ taker_id }) => taker_id === me) : undefined
  return received === undefined ? namesOf(othersIn(trade, me)) : nameOf(received.giver)
}

export function nameOf(member: BriefMember | null): string {
  return member?.username ?? formerMember
}

/** Returns the place in line of a request; 0 if it has none. */
export function positionIn(legs: readonly TradeLeg[]): number {
  return Math.max(0, ...legs.map(({ position }) => position ?? 0))
}

/** Returns the state of a request on the listing's page: "Asked – 2nd in line". */
export function requestText({ state, kind, legs, allowed }: Trade): string {
  if (state === 'accepted') return 'Promised to you'
  // Its requester may not decline it.
  if (allowed.includes('decline')) return 'Proposed to you'
  const asked = kind === 'single' ? 'Asked' : 'Proposed'
  const position = positionIn(legs)
  return position > 0 ? `${asked} – ${ordinal(position)} in line` : asked
}
