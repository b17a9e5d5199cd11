// `npm run bench:matching -- FILE.tsv`: precision, recall and F1 of the matcher on labelled rows, and the rows it got wrong.
import { match } from '#server/features/matching/match.ts'
import { percent, readRows } from './rows.ts'

interface Count {
  hit: number
  falsely: number
  missed: number
  rows: number
  right: number
}

const file = process.argv[2]
if (!file) throw new Error('Usage: npm run bench:matching -- FILE.tsv')

const all = empty()
const kinds = new Map<string, Count>()
const wrong: string[] = []
for (const row of readRows(file)) {
  const expected = /^(?:1|true|yes|y|match|t)$/i.test(row.expected ?? '')
  const found = match(
    { title: row.want ?? '', category_id: category(row.want_category) },
    {
      title: row.listing ?? '',
      description: row.description ?? '',
      category_id: category(row.listing_category),
    },
  )
  const kind = row.kind || 'other'
  const own = kinds.get(kind) ?? empty()
  kinds.set(kind, own)
  for (const count of [all, own]) {
    count.rows += 1
    if (expected === (found !== undefined)) count.right += 1
    if (expected && found) count.hit += 1
    else if (found) count.falsely += 1
    else if (expected) count.missed += 1
  }
  if (expected !== (found !== undefined))
    wrong.push(
      `  ${expected ? 'missed' : 'falsely'}  [${kind}] ${row.want} (${row.want_category || 0}) ↔ ${row.listing} (${row.listing_category || 0})${row.description ? ` — ${row.description}` : ''}${found ? `  “${found.reason}”` : ''}`,
    )
}

console.log('kind                 rows  right  precision  recall     F1')
for (const [kind, count] of [...kinds].sort()) say(kind, count)
say('in all', all)
if (wrong.length > 0) console.log(`\nWrong, ${wrong.length}:\n${wrong.join('\n')}`)

function say(name: string, { hit, falsely, missed, rows, right }: Count): void {
  const precision = hit / (hit + falsely)
  const recall = hit / (hit + missed)
  const f1 = (2 * hit) / (2 * hit + falsely + missed)
  console.log(
    `${name.padEnd(20)} ${String(rows).padStart(4)}  ${String(right).padStart(5)}  ${percent(precision).padStart(9)}  ${percent(recall).padStart(6)}  ${percent(f1).padStart(5)}`,
  )
}

function empty(): Count {
  return { hit: 0, falsely: 0, missed: 0, rows: 0, right: 0 }
}

function category(text: string | undefined): number | null {
  const id = Number(text)
  return id === 1 || id === 2 || id === 3 ? id : null
}
