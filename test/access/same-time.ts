import { logIn, requestPasswordReset } from '#contract/auth.ts'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import { getListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { report } from '#contract/reports.ts'
import { deleteWant } from '#contract/wants.ts'
import type { Fixture } from './fixture.ts'

const unknownId = 999_999_999_999

/** A call with the id of a hidden resource (`true`) or an unknown id. Its duration must not reveal which. */
export interface Pair {
  readonly name: string
  readonly call: (hidden: boolean) => Promise<Response>
}

/** Creates the hidden resources and returns the calls that compare them with unknown ones. */
export async function createPairs(fixture: Fixture): Promise<Pair[]> {
  await fixture.reset()
  const { cast, neighbor, suspendedListing, suspendedWant } = fixture
  const { stranger, suspended, owner, guest } = cast
  const listing = await fixture.listing({ is_public: false })
  const { request_id } = await neighbor.call(requestFriend, { body: { friend_id: owner.id } })
  const message = await owner.call(sendMessage, { body: { receiver_id: neighbor.id, content: 'Rhubarb?' } })
  const either = (hidden: boolean, id: number | null) => (hidden ? (id ?? 0) : unknownId)
  return [
    {
      name: 'a listing for friends',
      call: (hidden) => stranger.fetch(getListing, { params: { id: either(hidden, listing.id) } }),
    },
    {
      name: 'a listing of a suspended member',
      call: (hidden) => stranger.fetch(getListing, { params: { id: either(hidden, suspendedListing.id) } }),
    },
    {
      name: 'a suspended member',
      call: (hidden) => stranger.fetch(getPublicMember, { params: { id: either(hidden, suspended.id) } }),
    },
    {
      name: 'a conversation with a suspended member',
      call: (hidden) =>
        stranger.fetch(listMessages, { params: { id: either(hidden, suspended.id) }, query: {} }),
    },
    {
      name: 'a want of a suspended member',
      call: (hidden) => stranger.fetch(deleteWant, { params: { id: either(hidden, suspendedWant.id) } }),
    },
    {
      name: "somebody else's friend request",
      call: (hidden) =>
        stranger.fetch(respondToFriend, { body: { request_id: either(hidden, request_id), accept: true } }),
    },
    {
      name: "somebody else's message",
      call: (hidden) =>
        stranger.fetch(report, { body: { message_id: either(hidden, message.id), reason: 'Rude' } }),
    },
    {
      name: 'the login of a member',
      call: (hidden) =>
        guest.fetch(logIn, {
          body: { username: hidden ? owner.email : 'nobody@example.com', password: 'a-guess' },
        }),
    },
    {
      name: 'the password reset of a member',
      call: (hidden) =>
        guest.fetch(requestPasswordReset, { body: { email: hidden ? owner.email : 'nobody@example.com' } }),
    },
  ]
}

/**
 * Returns the median difference between the two calls in milliseconds with its 99 % confidence interval, and the median duration of
 * the call about an unknown thing. The calls alternate, so load on the machine affects both.
 */
export async function measureDifference({ call }: Pair, times: number) {
  const differences: number[] = []
  const durations: number[] = []
  for (let time = -5; time < times; time += 1) {
    const duration = { true: 0, false: 0 }
    for (const hidden of time % 2 === 0 ? [true, false] : [false, true]) {
      const start = performance.now()
      await (await call(hidden)).arrayBuffer()
      duration[`${hidden}`] = performance.now() - start
    }
    if (time < 0) continue
    differences.push(duration.true - duration.false)
    durations.push(duration.false)
  }
  differences.sort((a, b) => a - b)
  // The order statistics that enclose the median: binomial, normal approximation.
  const halfWidth = Math.ceil(1.29 * Math.sqrt(times))
  const at = (index: number) => differences[Math.min(times - 1, Math.max(0, index))] ?? 0
  return {
    milliseconds: at(times >> 1),
    low: at((times >> 1) - halfWidth),
    high: at((times >> 1) + halfWidth),
    median: durations.sort((a, b) => a - b)[times >> 1] ?? 0,
  }
}
