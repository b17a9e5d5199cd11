import { expect, vi } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { listRings, type RingSuggestion } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { Actor } from './actor.ts'
import { newWorld } from './world.ts'

const crops = [
  'plums',
  'figs',
  'garlic',
  'leeks',
  'rhubarb',
  'kale',
  'quinces',
  'basil',
  'beans',
  'carrots',
  'lemons',
  'pumpkins',
  'okra',
  'radishes',
  'parsnips',
  'spinach',
  'celery',
  'sorrel',
  'kohlrabi',
  'fennel',
]
/** Starts a server for tests of rings. */
export async function newRingWorld() {
  const world = await newWorld()
  let used = 0

  /** Waits until the rings of all matches are found. A job that fails under load is retried. */
  async function searched() {
    await world.jobsDone()
    const unfinished = async () =>
      [
        ...(await world.jobsOf('match-member')),
        ...(await world.jobsOf('match-want')),
        ...(await world.jobsOf('match-listing')),
        ...(await world.jobsOf('find-rings')),
      ].filter(({ state }) => state !== 'completed')
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: 60_000 })
  }

  return {
    world,
    searched,
    ringsOf: (who: Actor) => who.call(listRings),

    /** Each member offers a crop for exchange, and wants that of the member before. No other circle's crops fit. */
    async circle(members: readonly Actor[], offer: object = {}): Promise<Listing[]> {
      const own = crops.slice(used, used + members.length)
      used += members.length
      const listings: Listing[] = []
      for (const [place, member] of members.entries()) {
        const title = own[place] ?? ''
        listings.push(
          await member.call(createListing, { body: { title, type_id: types.exchange, ...offer } }),
        )
      }
      for (const [place, member] of members.entries())
        await member.call(createWant, { body: { title: own.at(place - 1) ?? '' } })
      await searched()
      return listings
    },
  }
}

export const givers = (rings: readonly RingSuggestion[]) =>
  rings.map(({ legs }) => legs.map(({ giver }) => giver.id))
