import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

/** A row of a labelled file, by the names of its columns. */
export type LabelledRow = Readonly<Record<string, string>>

export interface LabelledFile {
  readonly name: string
  readonly language: string
  /** True if the file only measures: its rows must not be read while the matcher changes, so its errors are not printed. */
  readonly isFrozen: boolean
  readonly rows: readonly LabelledRow[]
}

/** Returns the files that the command line names, or those of this folder with the prefix, and its split: only rows of it count. */
export function labelledFiles(prefix: RegExp): { files: LabelledFile[]; split: string } {
  const { values, positionals } = parseArgs({
    options: { split: { type: 'string', default: '' } },
    allowPositionals: true,
  })
  const own = readdirSync(import.meta.dirname).filter((file) => prefix.test(file) && file.endsWith('.tsv'))
  const paths =
    positionals.length > 0 ? positionals : own.sort().map((file) => join(import.meta.dirname, file))
  return { files: paths.map((path) => readLabelled(path, values.split)), split: values.split }
}

/** Reads a labelled file: tab-separated values with a header line. With `split`, keeps only the rows of that split. */
function readLabelled(path: string, split: string): LabelledFile {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const columns = header.split('\t')
  const rows = lines.map((line) => {
    const values = line.split('\t')
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']))
  })
  const name = basename(path, '.tsv')
  return {
    name,
    language: /spanish/.test(name) ? 'Spanish' : 'English',
    isFrozen: name.startsWith('frozen'),
    rows: split ? rows.filter((row) => row.split === split) : rows,
  }
}

/** Returns a share between 0 and 1 with three decimals. */
export function formatShare(share: number): string {
  return Number.isNaN(share) ? '–' : share.toFixed(3)
}
