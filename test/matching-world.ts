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
  let people = 0
  const matchesOf = (who: Actor, query: CallInput<typeof listMatches>['query'] = {}) =>
    who.call(listMatches, { query })
  return {
    world,

    /** Members nobody else of these tests knows. */
    async some<const Count extends number>(count: Count) {
      const names = Array.from({ length: count }, () => {
        people += 1
        return `gardener_${people}`
      })
      return (await world.members(...names)) as Actor[] as [Actor, Actor, Actor, Actor]
    },

    /** Lists something to give away, and lets it be found. */
    async list(who: Actor, title: string, listing: Posted = {}) {
      const posted = await who.call(createListing, { body: { title, type_id: types.giveaway, ...listing } })
      await world.jobsDone()
      return posted
    },

    addWant: (who: Actor, title: string, category_id: 1 | 2 | 3 | null = null) =>
      who.call(createWant, { body: { title, category_id } }),

    matchesOf,

    /** The titles of what fits their wants. */
    fits: async (who: Actor) => (await matchesOf(who)).map(({ listing }) => listing.title),

    /** Returns a member's notifications as short texts. */
    notificationsOf: async (who: Actor) =>
      (await who.call(listNotifications, { query: {} })).map(
        ({ kind, match }) => `${kind} ${match?.listing_title}`,
      ),
  }
}
