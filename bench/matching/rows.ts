import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a labelled file with tab-separated values and a header line. With `split`, returns only the rows of that split. */
export function readLabelled(file: string, split: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
  const columns = header.split('\t')
  const rows = lines.map((line) => {
    const values = line.split('\t')
    return Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))
  })
  return split ? rows.filter((row) => row.split === split) : rows
}

export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : share.toFixed(3)
}
