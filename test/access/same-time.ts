import { logIn, requestPasswordReset } from '#contract/auth.ts'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import { getListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { report } from '#contract/reports.ts'
import { deleteWant } from '#contract/wants.ts'
import type { Fixture } from './fixture.ts'

const nobody = 999_999_999_999

/** Asked of what is hidden (true) or of what was never there; who asks must not be able to tell which. */
export interface Pair {
  readonly name: string
  readonly ask: (hidden: boolean) => Promise<Response>
}

export async function pairs(fixture: Fixture): Promise<Pair[]> {
  await fixture.reset()
  const { cast, neighbour, offTheMarket, theirWant } = fixture
  const { stranger, suspended, owner, guest } = cast
  const listing = await fixture.listing({ is_public: false })
  const { request_id } = await neighbour.call(requestFriend, { body: { friend_id: owner.id } })
  const message = await owner.call(sendMessage, { body: { receiver_id: neighbour.id, content: 'Rhubarb?' } })
  const either = (hidden: boolean, id: number | null) => (hidden ? (id ?? 0) : nobody)
  return [
    {
      name: 'a listing for friends',
      ask: (hidden) => stranger.ask(getListing, { params: { id: either(hidden, listing.id) } }),
    },
    {
      name: 'a listing of a suspended member',
      ask: (hidden) => stranger.ask(getListing, { params: { id: either(hidden, offTheMarket.id) } }),
    },
    {
      name: 'a suspended member',
      ask: (hidden) => stranger.ask(getPublicMember, { params: { id: either(hidden, suspended.id) } }),
    },
    {
      name: 'a conversation with a suspended member',
      ask: (hidden) =>
        stranger.ask(listMessages, { params: { id: either(hidden, suspended.id) }, query: {} }),
    },
    {
      name: 'a want of a suspended member',
      ask: (hidden) => stranger.ask(deleteWant, { params: { id: either(hidden, theirWant.id) } }),
    },
    {
      name: "somebody else's friend request",
      ask: (hidden) =>
        stranger.ask(respondToFriend, { body: { request_id: either(hidden, request_id), accept: true } }),
    },
    {
      name: "somebody else's message",
      ask: (hidden) =>
        stranger.ask(report, { body: { message_id: either(hidden, message.id), reason: 'Rude' } }),
    },
    {
      name: 'the login of a member',
      ask: (hidden) =>
        guest.ask(logIn, {
          body: { username: hidden ? owner.email : 'nobody@example.com', password: 'a-guess' },
        }),
    },
    {
      name: 'the password reset of a member',
      ask: (hidden) =>
        guest.ask(requestPasswordReset, { body: { email: hidden ? owner.email : 'nobody@example.com' } }),
    },
  ]
}

/**
 * The middle of the differences between the two, in milliseconds and as a part of the time that is usual, with the bounds that
 * hold it in 99 of 100 samples. Both are asked in turn, in an order that changes, so that what slows the machine slows both.
 */
export async function difference({ ask }: Pair, times: number) {
  const differences: number[] = []
  const usual: number[] = []
  for (let time = -5; time < times; time += 1) {
    const took = { true: 0, false: 0 }
    for (const hidden of time % 2 === 0 ? [true, false] : [false, true]) {
      const start = performance.now()
      await (await ask(hidden)).arrayBuffer()
      took[`${hidden}`] = performance.now() - start
    }
    if (time < 0) continue
    differences.push(took.true - took.false)
    usual.push(took.false)
  }
  differences.sort((one, other) => one - other)
  // The order statistics that enclose the median: binomial, normal approximation.
  const reach = Math.ceil(1.29 * Math.sqrt(times))
  const at = (place: number) => differences[Math.min(times - 1, Math.max(0, place))] ?? 0
  return {
    milliseconds: at(times >> 1),
    low: at((times >> 1) - reach),
    high: at((times >> 1) + reach),
    usual: usual.sort((one, other) => one - other)[times >> 1] ?? 0,
  }
}
