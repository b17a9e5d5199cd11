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
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']))
  })
  return split ? rows.filter((row) => row.split === split) : rows
}

/** Returns a share between 0 and 1 with three decimals. */
export function formatShare(share: number): string {
  return Number.isNaN(share) ? '–' : share.toFixed(3)
}
