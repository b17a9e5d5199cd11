// `npm run bench:synonyms -- [FILE.tsv …] [--split=<name>]`: counts the pairs of names that are recognized as the same crop, by split or of
// one split by set, and prints those that are not, except of frozen files.
import { wantTerms } from '#server/features/matching/match.ts'
import { readWant } from '#server/features/matching/pipeline.ts'
import { formatShare, labelledFiles } from './rows.ts'

const { files, split: only } = labelledFiles(/^labelled-synonyms/)
const sets = new Map<string, { pairs: number; same: number }>()
const all = { pairs: 0, same: 0 }
const missed: string[] = []
for (const { isFrozen, row } of files.flatMap(({ isFrozen, rows }) =>
  rows.map((row) => ({ isFrozen, row })),
)) {
  const { split = '', name = '', alternate = '', set = '' } = row
  const own = sets.get(only ? set : split) ?? { pairs: 0, same: 0 }
  sets.set(only ? set : split, own)
  const [terms, others] = [conceptsOf(name), conceptsOf(alternate)]
  const same = terms.some((term) => others.includes(term))
  for (const count of [own, all]) {
    count.pairs += 1
    if (same) count.same += 1
  }
  if (!same && !isFrozen)
    missed.push(`  [${split}, ${set}] ${name} = ${alternate}   (${terms.join(' ')} ≠ ${others.join(' ')})`)
}

for (const [set, { pairs, same }] of [...sets, ['in all', all] as const])
  console.log(
    `${set.padEnd(20)} ${String(same).padStart(4)} of ${String(pairs).padStart(4)}  ${formatShare(same / pairs)}`,
  )
if (missed.length > 0) console.log(`\nNot recognized, ${missed.length}:\n${missed.join('\n')}`)

/** Returns the terms of the concepts that a name stands for: none for an unknown name. */
function conceptsOf(name: string): string[] {
  return wantTerms(readWant({ title: name })).filter((term) => !term.startsWith('word:'))
}
