// `npm run bench:matching -- [FILE.tsv …] [--split=<name>]`: prints precision, recall and F1 of the matcher on labelled pairs by
// language, file, split and kind, without debatable rows, and the errors of files that are not frozen. Of texts that offer no crop,
// counts those that match a want of a crop.
import { findMatch, matchTexts, readListing, readWant } from '#server/features/matching/pipeline.ts'
import { formatShare, type LabelledRow, labelledFiles } from './rows.ts'

class Count {
  truePositives = 0
  falsePositives = 0
  falseNegatives = 0
  rows = 0
  correct = 0

  add(expected: boolean, found: boolean): void {
    this.rows += 1
    if (expected === found) this.correct += 1
    if (expected && found) this.truePositives += 1
    else if (found) this.falsePositives += 1
    else if (expected) this.falseNegatives += 1
  }

  toString(): string {
    const { truePositives, falsePositives, falseNegatives } = this
    const shares = [
      truePositives / (truePositives + falsePositives),
      truePositives / (truePositives + falseNegatives),
      (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives),
    ].map(formatShare)
    return `${String(this.rows).padStart(5)}  ${String(this.correct).padStart(5)}  ${shares.map((share) => share.padStart(9)).join('')}`
  }
}

/** Counts that are created when something is first added to them. */
class Counts {
  private readonly counts = new Map<string, Count>()

  at(name: string): Count {
    const count = this.counts.get(name) ?? new Count()
    this.counts.set(name, count)
    return count
  }

  print(title: string): void {
    console.log(`\n${title.padEnd(34)}  rows  right  precision   recall       F1`)
    for (const [name, count] of this.counts) console.log(`${name.padEnd(32)} ${count}`)
  }
}

const { files: allFiles, split } = labelledFiles(/^(?:labelled-matches|development|frozen)/)
const files = allFiles.filter(({ name }) => !isPlantFree(name))
const [byLanguage, bySplit, byKind] = [new Counts(), new Counts(), new Counts()]
const errors: string[] = []
for (const { name, language, isFrozen, rows } of files)
  for (const row of rows) {
    if (row.debatable === '1') continue
    const expected = row.expected === '1'
    const match = matchOf(row)
    const found = match !== undefined
    const set = `${language}, ${isFrozen ? 'frozen' : 'development'}`
    for (const count of [
      byLanguage.at(set),
      bySplit.at(`${name}${row.split ? `, ${row.split}` : ''}`),
      byKind.at(`${set}: ${row.kind}`),
    ])
      count.add(expected, found)
    if (expected !== found && !isFrozen) errors.push(errorOf(row, match?.reason))
  }

byLanguage.print('Language and set')
bySplit.print('File and split')
if (split || process.argv.some((argument) => argument.endsWith('.tsv')))
  byKind.print('Language, set and kind')
printPhantoms(
  allFiles.filter(({ name }) => isPlantFree(name)).flatMap(({ rows }) => rows),
  files.flatMap(({ rows }) => rows),
)
if (errors.length > 0) console.log(`\nErrors, ${errors.length}:\n${errors.join('\n')}`)

function matchOf(row: LabelledRow) {
  return matchTexts(
    { title: row.want ?? '', category_id: category(row.want_category) },
    {
      title: row.listing ?? '',
      description: row.description ?? '',
      category_id: category(row.listing_category),
    },
  )
}

function isPlantFree(name: string): boolean {
  return name.endsWith('plant-free')
}

/** Prints by language how many texts without a crop match a want of a crop: one with a category, of one or two words ("anything but tomatoes" matches rightly). */
function printPhantoms(texts: readonly LabelledRow[], labelled: readonly LabelledRow[]): void {
  const titles = new Set(labelled.filter((row) => category(row.want_category)).map((row) => row.want ?? ''))
  const wants = [...titles]
    .filter((title) => title.split(' ').length <= 2)
    .map((title) => readWant({ title }))
  const listings = texts.map((row) => ({
    language: row.language ?? '',
    offer: readListing({ title: row.title ?? '', description: row.description ?? '' }),
  }))
  for (const [language, ofLanguage] of Map.groupBy(listings, (listing) => listing.language)) {
    const phantoms = ofLanguage.filter(({ offer }) => wants.some((want) => findMatch(want, offer)))
    console.log(`\nPlant-free, ${language}: ${phantoms.length} of ${ofLanguage.length} match a want`)
  }
}

function errorOf(row: LabelledRow, reason: string | undefined): string {
  const listing = `${row.listing} (${row.listing_category || 0})${row.description ? ` — ${row.description}` : ''}`
  return `  ${reason === undefined ? 'missed' : 'falsely'}  [${row.split}, ${row.kind}] ${row.want} (${row.want_category || 0}) ↔ ${listing}${reason === undefined ? '' : `  “${reason}”`}`
}

function category(text: string | undefined): number | null {
  const id = Number(text)
  return id === 1 || id === 2 || id === 3 ? id : null
}
