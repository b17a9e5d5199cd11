// `npm run bench:matching`: prints precision, recall and F1 of the matcher on the labelled matches, by split or of one split by kind, and the errors.
import { matchTexts } from '#server/features/matching/pipeline.ts'
import { optionsOf } from '../setup.ts'
import { formatShare, readLabelled } from './rows.ts'

interface Count {
  truePositives: number
  falsePositives: number
  falseNegatives: number
  rows: number
  correct: number
}

const { split: only } = optionsOf({ split: '' })
const newCount = (): Count => ({
  truePositives: 0,
  falsePositives: 0,
  falseNegatives: 0,
  rows: 0,
  correct: 0,
})
const counts = new Map([['in all', newCount()]])
const errors: string[] = []
for (const row of readLabelled('labelled-matches.tsv', only)) {
  const expected = row.expected === '1'
  const found = matchTexts(
    { title: row.want ?? '', category_id: category(row.want_category) },
    {
      title: row.listing ?? '',
      description: row.description ?? '',
      category_id: category(row.listing_category),
    },
  )
  for (const name of [(only ? row.kind : row.split) ?? '', 'in all']) {
    const count = counts.get(name) ?? newCount()
    counts.set(name, count)
    count.rows += 1
    if (expected === (found !== undefined)) count.correct += 1
    if (expected && found) count.truePositives += 1
    else if (found) count.falsePositives += 1
    else if (expected) count.falseNegatives += 1
  }
  if (expected !== (found !== undefined))
    errors.push(
      `  ${expected ? 'missed' : 'falsely'}  [${row.split}, ${row.kind}] ${row.want} (${row.want_category || 0}) ↔ ${row.listing} (${row.listing_category || 0})${row.description ? ` — ${row.description}` : ''}${found ? `  “${found.reason}”` : ''}`,
    )
}

console.log('                     rows  right  precision  recall     F1')
for (const [name, { truePositives, falsePositives, falseNegatives, rows, correct }] of counts) {
  const [precision, recall, f1] = [
    truePositives / (truePositives + falsePositives),
    truePositives / (truePositives + falseNegatives),
    (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives),
  ]
  console.log(
    `${name.padEnd(20)} ${String(rows).padStart(4)}  ${String(correct).padStart(5)}  ${formatShare(precision).padStart(9)}  ${formatShare(recall).padStart(6)}  ${formatShare(f1).padStart(5)}`,
  )
}
if (errors.length > 0) console.log(`\nErrors, ${errors.length}:\n${errors.join('\n')}`)

function category(text: string | undefined): number | null {
  const id = Number(text)
  return id === 1 || id === 2 || id === 3 ? id : null
}
