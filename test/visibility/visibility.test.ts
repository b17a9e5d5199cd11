import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { deleteListing } from '#contract/listings.ts'
import { deleteProfile } from '#contract/profile.ts'
import { shortOrLong } from '#test/long.ts'
import { seed } from '#test/seed.ts'
import { type Facts, type ListingFacts, pair } from './reference.ts'
import { listingCount, memberCount, newVisibilityWorld, setFacts } from './visibility-world.ts'
import { checkAllWays, readStored } from './ways-to-see.ts'

const setting = await newVisibilityWorld()
afterAll(() => setting[Symbol.asyncDispose]())
const stored = await readStored(setting)

/** True in one of `times` cases. */
const rarely = (times: number) => fc.nat(times - 1).map((number) => number === 0)
const relation = fc.constantFrom('none', 'none', 'friends', 'friends', 'blocks', 'is blocked')
const pairs = Array.from({ length: memberCount }, (_, one) =>
  Array.from({ length: memberCount - one - 1 }, (_, more) => [one, one + 1 + more] as const),
).flat()

const anyFacts = fc.record({
  suspended: fc.array(rarely(6), { minLength: memberCount, maxLength: memberCount }),
  relations: fc.array(relation, { minLength: pairs.length, maxLength: pairs.length }),
  listings: fc.array(
    fc.record({
      active: rarely(6).map((is) => !is),
      public: fc.boolean(),
      hidden: rarely(5),
      expired: rarely(5),
      state: fc.constantFrom<ListingFacts['state'][]>('available', 'available', 'reserved', 'gone'),
    }),
    { minLength: listingCount, maxLength: listingCount },
  ),
})

type RandomFacts = typeof anyFacts extends fc.Arbitrary<infer Facts> ? Facts : never

const every: RandomFacts = {
  suspended: Array.from({ length: memberCount }, () => false),
  relations: pairs.map(() => 'friends'),
  listings: Array.from({ length: listingCount }, () => ({
    ...{ active: true, public: true, hidden: false, expired: false, state: 'available' },
  })),
}
/** Facts that random ones rarely have: every ring is possible, one listing is expired or private, and two members are blocked. */
const rareExamples: [RandomFacts][] = [
  [every],
  [{ ...every, listings: every.listings.map((listing, index) => ({ ...listing, expired: index === 0 })) }],
  [{ ...every, listings: every.listings.map((listing, index) => ({ ...listing, public: index > 0 })) }],
  [{ ...every, relations: every.relations.map((relation, index) => (index === 0 ? 'blocks' : relation)) }],
]

const gone = { listings: new Set<number>(), members: new Set<number>() }

/** Sets random facts and compares all ways to see a listing with the reference. */
async function checkRandomFacts(runs: number, examples: [RandomFacts][], known = stored): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyFacts, async ({ suspended, relations, listings }) => {
      const related = (wanted: string, order: (one: number, other: number) => string) =>
        pairs.flatMap(([one, other], index) =>
          relations[index] === wanted && !gone.members.has(one) && !gone.members.has(other)
            ? [order(one, other)]
            : [],
        )
      const facts: Facts = {
        members: suspended.map((is, index) => ({ suspended: is, deleted: gone.members.has(index) })),
        friends: new Set(related('friends', pair)),
        blocks: new Set([
          ...related('blocks', pair),
          ...related('is blocked', (one, other) => pair(other, one)),
        ]),
      }
      const listingFacts = listings.map((listing, index) => {
        const owner = Math.floor(index / 2)
        return { ...listing, owner, deleted: gone.listings.has(index) || gone.members.has(owner) }
      })
      await setFacts(setting, facts, listingFacts)
      await checkAllWays(setting, known, facts, listingFacts)
    }),
    { seed, numRuns: runs, endOnFailure: true, examples },
  )
}

test('everybody sees exactly the listings that the rules allow, in every way to see one', () =>
  checkRandomFacts(shortOrLong(6, 150), rareExamples))

test('nobody sees a deleted listing or those of a deleted member', async () => {
  await setting.world.db.updateTable('users').set({ suspended_at: null }).execute()
  await setting.member(1).call(deleteListing, { params: { id: setting.listings[3]?.id ?? 0 } })
  await setting.member(4).call(deleteProfile, { body: { password: setting.member(4).password } })
  gone.listings.add(3)
  gone.members.add(4)
  await setting.world.jobsDone()
  const { notifications } = await readStored(setting)
  await checkRandomFacts(shortOrLong(1, 50), [], { ...stored, notifications })
})
