// `npm run bench:rings`: simulates a town in which members trade, swap and form rings, and measures the search for rings.
import { optionsOf, withBenchSetup } from '../setup.ts'
import { measureSearch } from './search.ts'
import { simulateTown } from './town.ts'

const values = optionsOf({
  /** `town`, `search` or both. */
  only: 'town,search',
  /** The members of the town. */
  town: '2000',
  /** The share of proposals that an asked member accepts. */
  accepting: '1',
  /** The members of the search, each with 20 matches. */
  members: '2500,50000',
  /** The measured matches of each search. */
  samples: '2000',
})
const only = values.only.split(',')

await withBenchSetup(60, async (setup) => {
  if (only.includes('town'))
    for (const tastes of ['alike', 'different'] as const)
      await simulateTown(setup, {
        tastes,
        members: Number(values.town),
        accepting: Number(values.accepting),
      })
  if (only.includes('search'))
    for (const members of values.members.split(',').map(Number))
      await measureSearch(setup, { members, samples: Number(values.samples) })
})
