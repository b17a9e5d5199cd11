import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Storage } from './storage.ts'

/** Keeps files below `folder`, fanned out by their first two letters so that no folder grows too long to list. */
export function createDiskStorage(folder: string): Storage {
  const pathOf = (file: string) => join(folder, file.slice(0, 2), file)

  return {
    async put(file, bytes) {
      const path = pathOf(file)
      const unfinished = join(folder, 'unfinished', randomUUID())
      await mkdir(dirname(path), { recursive: true })
      await mkdir(dirname(unfinished), { recursive: true })
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

    async remove(files) {
      await Promise.all(files.map((file) => rm(pathOf(file), { force: true })))
    },
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
