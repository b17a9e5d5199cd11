import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** Why there is no backup or no restoring, in a sentence for the operator. */
export class BackupError extends Error {}

/** Another when an older version could not read what is written. */
export const format = 1

const named = { schema: z.string(), name: z.string() }

const manifest = z.object({
  format: z.literal(format),
  /** When the database was as it is here. */
  taken_at: z.string(),
  postgres: z.string(),
  /** The schema's, in their order. */
  migrations: z.array(z.string()),
  /** The version of the job queue's tables. */
  jobs: z.number(),
  tables: z.array(z.object({ ...named, columns: z.array(z.string()).readonly(), rows: z.number() })),
  sequences: z.array(z.object({ ...named, value: z.string() })),
  /** How many files; null when they were left out. `missing` had rows, and no files. */
  images: z.object({ files: z.number(), missing: z.array(z.string()) }).nullable(),
})
export type Manifest = z.output<typeof manifest>

const manifestFile = 'backup.json'
/** As `sha256sum --check` reads it. */
const sumsFile = 'SHA256SUMS'

/** Written last: a folder without it is half a backup. */
export async function writeManifest(folder: string, written: Manifest): Promise<void> {
  const draft = join(folder, `${manifestFile}.part`)
  await writeFile(draft, `${JSON.stringify(written, null, 2)}\n`, { flush: true })
  await rename(draft, join(folder, manifestFile))
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => {
    throw new BackupError(`There is no whole backup in ${folder}: ${manifestFile} is missing.`)
  })
  const read = manifest.safeParse(JSON.parse(text))
  if (!read.success)
    throw new BackupError(
      `The backup in ${folder} was made by another version of Rhubarb than this one reads.`,
    )
  return read.data
}

/** Sums up every file below the folder. */
export async function writeSums(folder: string): Promise<void> {
  const sums = await open(join(folder, sumsFile), 'w')
  try {
    for await (const file of filesBelow(folder)) {
      if (file !== sumsFile) await sums.write(`${await sumOf(join(folder, file))}  ${file}\n`)
    }
    await sums.sync()
  } finally {
    await sums.close()
  }
}

/** Throws when a file is not as it was written. */
export async function checkSums(folder: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(join(folder, sumsFile)) })
  for await (const line of lines) {
    const [sum, file = ''] = line.split('  ')
    const found = await sumOf(join(folder, file)).catch(() => undefined)
    if (found !== sum)
      throw new BackupError(`${file} is ${found === undefined ? 'missing' : 'not as it was written'}.`)
  }
}

async function* filesBelow(folder: string, root = folder): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path, root)
    else yield relative(root, path)
  }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
