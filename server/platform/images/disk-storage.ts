import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Storage } from './storage.ts'

/** Stores files below `folder`, in subfolders by their first two letters to keep folders small. */
export function createDiskStorage(folder: string): Storage {
  const pathOf = (file: string) => join(folder, file.slice(0, 2), file)
  async function remove(files: readonly string[]) {
    await Promise.all(files.map((file) => rm(pathOf(file), { force: true })))
  }

  return {
    async put(file, bytes) {
      const path = pathOf(file)
      const unfinished = join(folder, 'unfinished', randomUUID())
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 })
      try {
        await writeFile(unfinished, bytes, { flush: true })
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async open(file) {
      const handle = await open(pathOf(file)).catch(ignoreMissing)
      if (!handle) return undefined
      const { size } = await handle.stat()
      return { stream: handle.createReadStream(), size }
    },

    async sweep(first, before, listUnwanted) {
      await removeUnfinished(join(folder, 'unfinished'), before)
      let removed = 0
      for (const part of await listFolder(folder)) {
        if (part[0] !== first) continue
        const old = await listOld(join(folder, part), before)
        if (old.length === 0) continue
        const unwanted = await listUnwanted(old)
        await remove(unwanted)
        removed += unwanted.length
      }
      return removed
    },

    remove,
  }
}

/** Removes the unfinished files of killed processes. */
async function removeUnfinished(folder: string, before: Date): Promise<void> {
  for (const file of await listOld(folder, before)) await rm(join(folder, file), { force: true })
}

async function listOld(folder: string, before: Date): Promise<string[]> {
  const old: string[] = []
  for (const file of await listFolder(folder)) {
    const stats = await stat(join(folder, file)).catch(ignoreMissing)
    if (stats && stats.mtime < before) old.push(file)
  }
  return old
}

async function listFolder(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
