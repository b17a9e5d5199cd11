import { types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { listNotifications } from '#contract/notifications.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from './actor.ts'
import { newWorld } from './world.ts'

type Posted = Partial<CallInput<typeof createListing>['body']>

/** Starts a server for tests of matching, with helpers to post, want and read. */
export async function newMatchingWorld() {
  const world = await newWorld()
  let memberCount = 0
  const matchesOf = (member: Actor, query: CallInput<typeof listMatches>['query'] = {}) =>
    member.call(listMatches, { query })
  return {
    world,

    /** Registers members that no other test uses. */
    async newMembers<const Count extends number>(count: Count) {
      const names = Array.from({ length: count }, () => {
        memberCount += 1
        return `gardener_${memberCount}`
      })
      return (await world.members(...names)) as Actor[] as [Actor, Actor, Actor, Actor]
    },

    /** Posts a listing, by default a giveaway, and waits until it is matched. */
    async list(owner: Actor, title: string, listing: Posted = {}) {
      const posted = await owner.call(createListing, { body: { title, type_id: types.giveaway, ...listing } })
      await world.jobsDone()
      return posted
    },

    addWant: (member: Actor, title: string, category_id: 1 | 2 | 3 | null = null) =>
      member.call(createWant, { body: { title, category_id } }),

    matchesOf,

    /** Returns the titles of a member's matches. */
    matchTitles: async (member: Actor) => (await matchesOf(member)).map(({ listing }) => listing.title),

    /** Returns a member's notifications as short texts. */
    notificationsOf: async (member: Actor) =>
      (await member.call(listNotifications, { query: {} })).map(
        ({ kind, match }) => `${kind} ${match?.listing_title}`,
      ),
  }
}
