import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, opendir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { OperatorError } from '#server/platform/errors.ts'

/** The version of the format. It changes when older versions of Rhubarb can't read a new backup. */
export const format = 1

const qualifiedName = { schema: z.string(), name: z.string() }

const manifest = z.object({
  format: z.literal(format),
  /** The time of the snapshot. */
  taken_at: z.string(),
  postgres: z.string(),
  /** The executed migrations in order. */
  migrations: z.array(z.string()),
  /** The version of the job queue's tables. */
  jobs: z.number(),
  tables: z.array(z.object({ ...qualifiedName, columns: z.array(z.string()).readonly(), rows: z.number() })),
  sequences: z.array(z.object({ ...qualifiedName, value: z.string() })),
  /** The number of files and the names of missing ones; null if images were left out. */
  images: z.object({ files: z.number(), missing: z.array(z.string()) }).nullable(),
})
export type Manifest = z.output<typeof manifest>

const manifestFile = 'backup.json'
/** The file of checksums in the format of `sha256sum --check`. */
const checksumsFile = 'SHA256SUMS'

/** Writes the manifest. It is written last, so a folder without it is incomplete. */
export async function writeManifest(folder: string, written: Manifest): Promise<void> {
  const draft = join(folder, `${manifestFile}.part`)
  await writeFile(draft, `${JSON.stringify(written, null, 2)}\n`, { flush: true })
  await rename(draft, join(folder, manifestFile))
}

/** Reads the manifest. Throws OperatorError if it is missing, damaged or of another version. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => {
    throw new OperatorError(`There is no complete backup in ${folder}: ${manifestFile} is missing.`)
  })
  const parsed = manifest.safeParse(parseJson(text))
  if (!parsed.success)
    throw new OperatorError(
      `The format of the backup in ${folder} is of another version of Rhubarb. Restore it with the version that made it.`,
    )
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OperatorError(`${manifestFile} is damaged.`, { cause })
  }
}

/** Writes the checksums of all files below the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const sums = await open(join(folder, checksumsFile), 'w')
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      const file = relative(folder, join(entry.parentPath, entry.name))
      if (entry.isFile() && file !== checksumsFile)
        await sums.write(`${await checksumOf(join(folder, file))}  ${file}\n`)
    }
    await sums.sync()
  } finally {
    await sums.close()
  }
}

/** Throws if a file is missing or its checksum is wrong. */
export async function verifyChecksums(folder: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(join(folder, checksumsFile)) })
  for await (const line of lines) {
    const [sum, file = ''] = line.split('  ')
    const actual = await checksumOf(join(folder, file)).catch(() => undefined)
    if (actual !== sum) throw new OperatorError(`${file} is ${actual === undefined ? 'missing' : 'damaged'}.`)
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
