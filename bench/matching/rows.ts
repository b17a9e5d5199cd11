import { readFileSync } from 'node:fs'

/** The rows of a file with a header line, parted by tabs, or by commas where the header has no tab. */
export function readRows(path: string): Record<string, string>[] {
  const lines = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const [header = '', ...rest] = lines
  const parts = header.includes('\t') ? (line: string) => line.split('\t') : commas
  const columns = parts(header).map((column) => column.trim())
  return rest.map((line) => {
    const values = parts(line)
    return Object.fromEntries(columns.map((column, at) => [column, (values[at] ?? '').trim()]))
  })
}

function commas(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}

export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : share.toFixed(3)
}
