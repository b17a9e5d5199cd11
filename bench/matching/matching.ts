// `npm run bench:matching`: precision, recall and F1 of the matcher on the labelled matches, by split or of one split by kind, and the rows it got wrong.
import { match } from '#server/features/matching/match.ts'
import { optionsOf } from '../setup.ts'
import { percent, readLabelled } from './rows.ts'

interface Count {
  hit: number
  falsely: number
  missed: number
  rows: number
  right: number
}

const { split: only } = optionsOf({ split: '' })
const counts = new Map<string, Count>([['in all', { hit: 0, falsely: 0, missed: 0, rows: 0, right: 0 }]])
const wrong: string[] = []
for (const row of readLabelled('labelled-matches.tsv', only)) {
  const expected = row.expected === '1'
  const found = match(
    { title: row.want ?? '', category_id: category(row.want_category) },
    {
      title: row.listing ?? '',
      description: row.description ?? '',
      category_id: category(row.listing_category),
    },
  )
  for (const name of [(only ? row.kind : row.split) ?? '', 'in all']) {
    const count = counts.get(name) ?? { hit: 0, falsely: 0, missed: 0, rows: 0, right: 0 }
    counts.set(name, count)
    count.rows += 1
    if (expected === (found !== undefined)) count.right += 1
    if (expected && found) count.hit += 1
    else if (found) count.falsely += 1
    else if (expected) count.missed += 1
  }
  if (expected !== (found !== undefined))
    wrong.push(
      `  ${expected ? 'missed' : 'falsely'}  [${row.split}, ${row.kind}] ${row.want} (${row.want_category || 0}) ↔ ${row.listing} (${row.listing_category || 0})${row.description ? ` — ${row.description}` : ''}${found ? `  “${found.reason}”` : ''}`,
    )
}

console.log('                     rows  right  precision  recall     F1')
for (const [name, { hit, falsely, missed, rows, right }] of counts) {
  const [precision, recall, f1] = [
    hit / (hit + falsely),
    hit / (hit + missed),
    (2 * hit) / (2 * hit + falsely + missed),
  ]
  console.log(
    `${name.padEnd(20)} ${String(rows).padStart(4)}  ${String(right).padStart(5)}  ${percent(precision).padStart(9)}  ${percent(recall).padStart(6)}  ${percent(f1).padStart(5)}`,
  )
}
if (wrong.length > 0) console.log(`\nWrong, ${wrong.length}:\n${wrong.join('\n')}`)

function category(text: string | undefined): number | null {
  const id = Number(text)
  return id === 1 || id === 2 || id === 3 ? id : null
}
