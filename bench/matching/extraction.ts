// `npm run bench:extraction`: measures the CPU time of loading the lexicon and of extracting and matching texts.
import { findMatch, matchTexts, readListing, readWant } from '#server/features/matching/pipeline.ts'

const titles = [
  'tomatoes, basil and a few leeks',
  'Brandywine, ugly but sweet $3',
  'rosmary, rooted, in 4in pots',
  'Cedar raised beds 4x8',
  'ISO organic hierloom tomato seedlings',
]
const description =
  'Picked this morning from the back garden, no sprays ever. Great with basil and mozzarella. Also have some leeks and a few courgettes ' +
  'if you want them, just ask! Grew next to the tomatoes. Porch pickup after 5pm, please bring your own bag. Would trade for eggs or honey.'

printTime('The first match, which reads the lexicon', 1, () => {
  matchTexts({ title: 'kale' }, { title: 'kael', description: '' })
})
const extractedWants = titles.map((title) => readWant({ title }))
const offers = titles.map((title) => readListing({ title, description }))
for (let round = 0; round < 200; round += 1) for (const title of titles) readListing({ title, description })

printTime('A want', 2000, () => {
  for (const title of titles) readWant({ title })
})
printTime('A listing with a description', 500, () => {
  for (const title of titles) readListing({ title, description })
})
printTime('A pair already read', 20_000, () => {
  for (const extracted of extractedWants) for (const offer of offers) findMatch(extracted, offer)
})

/** Runs work and prints its CPU time per text. A round is all titles or, for pairs, each title with each. */
function printTime(what: string, rounds: number, work: () => void): void {
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) work()
  const { user, system } = process.cpuUsage(before)
  const pieces = rounds === 1 ? 1 : rounds * titles.length * (what.startsWith('A pair') ? titles.length : 1)
  const each = (user + system) / pieces
  console.log(
    `${what.padEnd(42)} ${each >= 1000 ? `${(each / 1000).toFixed(0)} ms` : `${each.toFixed(1)} µs`}`,
  )
}
