import { plural, selectOrdinal, t } from '@lingui/core/macro'
import { tradeDays } from '#contract/constants.ts'
import type { BriefMember } from '#contract/fields.ts'
import type { Trade, TradeLeg } from '#contract/trades.ts'
import { formerMember } from '#web/features/members/former-member.ts'
import { formatList } from '#web/i18n/formats.ts'

/** Returns "1st", "2nd", "11th". */
export function ordinal(count: number): string {
  return selectOrdinal(count, { one: '#st', two: '#nd', few: '#rd', other: '#th' })
}

type StampTone = 'waiting' | 'promised' | 'ended'

/** Returns the kind of a trade: "trade", "swap" or "ring". */
export function kindWord({ kind }: Pick<Trade, 'kind'>): string {
  if (kind === 'single') return t`trade`
  return kind === 'swap' ? t`swap` : t`ring`
}

/** Returns the word on the stamp of a trade. */
export function stateWord({ kind, state, end_reason }: Pick<Trade, 'kind' | 'state' | 'end_reason'>): string {
  switch (state) {
    case 'requested':
      return kind === 'single' ? t`asked` : t`proposed`
    case 'accepted':
      return t`promised`
    case 'done':
      return t`done`
    case 'declined':
      return t`declined`
    case 'withdrawn':
      return t`withdrawn`
    case 'lapsed':
      return end_reason === null ? t`lapsed` : t`gone`
  }
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

/** Returns "ann", "ann and ben", "ann, ben, and cat". */
export function namesOf(members: readonly Pick<BriefMember, 'username'>[]): string {
  return members.length === 0 ? formerMember() : formatList(members.map(({ username }) => username))
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
        ? t`Say thank you to ${{ names: namesToThank(trade, me) }}?`
        : t`All is handed over.`
    case 'declined':
      return kind === 'ring' ? t`Not everyone agreed.` : t`The request was declined.`
    case 'withdrawn':
      return t`It was withdrawn.`
    case 'lapsed':
      if (trade.end_reason === 'given') return t`It went to another neighbor.`
      if (trade.end_reason === 'gone') return t`It is not offered any more.`
      return t`It lapsed: nobody took the next step in time, or the listing has ended.`
  }
}

function requestedStep(trade: Trade, names: string): string {
  const { kind, legs, allowed } = trade
  if (kind === 'ring' && allowed.includes('accept'))
    return ringProposed(nameOf(requesterOf(trade)), tradeDays.ring.lapse)
  if (kind === 'ring') return t`You have agreed. It holds when all have.`
  if (allowed.includes('accept'))
    return kind === 'swap' ? t`${names} proposes a swap.` : t`${names} would like this.`
  const position = positionIn(legs)
  if (position > 1) return inLine(position, names)
  return t`Waiting for ${names} to answer.`
}

function acceptedStep({ pickup, legs, allowed }: Trade, me: number | undefined, names: string): string {
  const claimed = legs.find(({ confirm_at }) => confirm_at !== null)
  if (allowed.includes('deny_hand_over') && claimed)
    return t`${{ name: nameOf(claimed.taker) }} says they have it. Is that right?`
  if (allowed.includes('accept_pickup')) return t`A time for the pickup is proposed. Does it suit you?`
  if (pickup?.accepted === false && pickup.proposed_by === me)
    return t`Waiting for ${names} to accept the pickup.`
  if (!allowed.includes('hand_over')) return t`Waiting for ${names}.`
  if (pickup === null) return t`It is promised. Arrange the pickup, or write to each other.`
  const awaited = legs.find(({ taker_id, handed_over }) => taker_id === me && !handed_over)
  return awaited === undefined
    ? t`${names} comes for it.`
    : t`It is promised to you. Come for it at this time.`
}

/** Returns the names of the receivers of a thank-you: the other side, or in a ring the giver. */
export function namesToThank(trade: Pick<Trade, 'kind' | 'legs'>, me: number | undefined): string {
  const received = trade.kind === 'ring' ? trade.legs.find(({ taker_id }) => taker_id === me) : undefined
  return received === undefined ? namesOf(othersIn(trade, me)) : nameOf(received.giver)
}

export function nameOf(member: BriefMember | null): string {
  return member?.username ?? formerMember()
}

/** Returns the place in line of a request; 0 if it has none. */
export function positionIn(legs: readonly TradeLeg[]): number {
  return Math.max(0, ...legs.map(({ position }) => position ?? 0))
}

/** Returns the state of a request on the listing's page: "Asked – 2nd in line". */
export function requestText({ state, kind, legs, allowed }: Trade): string {
  if (state === 'accepted') return t`Promised to you`
  // Its requester may not decline it.
  if (allowed.includes('decline')) return t`Proposed to you`
  const position = positionIn(legs)
  if (position === 0) return kind === 'single' ? t`Asked` : t`Proposed`
  return kind === 'single'
    ? selectOrdinal(position, {
        one: 'Asked – #st in line',
        two: 'Asked – #nd in line',
        few: 'Asked – #rd in line',
        other: 'Asked – #th in line',
      })
    : selectOrdinal(position, {
        one: 'Proposed – #st in line',
        two: 'Proposed – #nd in line',
        few: 'Proposed – #rd in line',
        other: 'Proposed – #th in line',
      })
}

function ringProposed(name: string, days: number): string {
  return plural(days, {
    one: `${name} proposes a ring. It holds when all have accepted within # day.`,
    other: `${name} proposes a ring. It holds when all have accepted within # days.`,
  })
}

function inLine(position: number, names: string): string {
  return selectOrdinal(position, {
    one: `You are #st in line. Waiting for ${names}.`,
    two: `You are #nd in line. Waiting for ${names}.`,
    few: `You are #rd in line. Waiting for ${names}.`,
    other: `You are #th in line. Waiting for ${names}.`,
  })
}
