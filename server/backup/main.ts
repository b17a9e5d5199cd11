// Runs `npm run backup -- DIR` and `npm run restore -- DIR` with the settings of `npm start`.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { processConfig } from '#server/config.ts'
import { openConfiguredDatabase, openStorage } from '#server/configured-data.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { takeBackup } from './backup.ts'
import type { Manifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'

const usage = `npm run backup -- DIR [--without-images]
  Writes a snapshot of the database and its images to a new folder. The server may run.

npm run restore -- DIR [--replace]
  Restores such a folder to the configured database and storage of images. The server must be stopped.
  A database with members is replaced only with --replace.`

async function main([command, ...words]: readonly string[]): Promise<string> {
  const { values, positionals } = parseWords(words)
  const [dir, ...others] = positionals
  if (dir === undefined || others.length > 0) throw new OperatorError(usage)
  const folder = resolve(dir)
  const config = processConfig()
  await using database = await openConfiguredDatabase(config)
  const { url } = database
  if (command === 'backup') {
    const storage = values['without-images'] ? undefined : await openStorage(config)
    return `The backup is in ${folder}: ${summarize(await takeBackup({ url, storage, folder }))}`
  }
  const storage = await openStorage(config)
  const backup = await restoreBackup({ url, storage, folder, replace: values.replace ?? false })
  return `The database is restored to ${backup.taken_at}: ${summarize(backup)}`
}

function parseWords(words: readonly string[]) {
  const options = { replace: { type: 'boolean' }, 'without-images': { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (cause) {
    throw new OperatorError(usage, { cause })
  }
}

function summarize({ tables, images }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  if (!images) return `${rows} rows, and no images.`
  const missing = images.missing.length > 0 ? ` ${images.missing.length} were missing, see backup.json.` : ''
  return `${rows} rows and ${images.files} image files.${missing}`
}

main(process.argv.slice(2)).then(
  (output) => process.stdout.write(`${output}\n`),
  (error: unknown) => {
    const text = error instanceof Error ? error.stack : String(error)
    process.stderr.write(`${error instanceof OperatorError ? error.message : text}\n`)
    process.exitCode = 1
  },
)
