import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createDiskStorage } from './disk-storage.ts'

const file = 'ABAAAAAAAAAAAAAAAAAAAA-160.webp'

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('stores a file and returns the same bytes', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'disk-storage-'))
  const storage = createDiskStorage(folder.path)
  const bytes = Buffer.from('petals')

  await storage.put(file, bytes, 'image/webp')
  const opened = await storage.open(file)

  expect(opened?.size).toBe(6)
  expect(opened && (await buffer(opened.stream))).toEqual(bytes)
  expect(await filesBelow(folder.path)).toEqual([file])
})

test('returns undefined for a missing file', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'disk-storage-'))

  expect(await createDiskStorage(folder.path).open(file)).toBeUndefined()
})

test('removes files and ignores missing ones', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'disk-storage-'))
  const storage = createDiskStorage(folder.path)
  await storage.put(file, Buffer.from('petals'), 'image/webp')
  await storage.put('kept.webp', Buffer.from('leaves'), 'image/webp')

  await storage.remove([file, 'never.webp'])

  expect(await filesBelow(folder.path)).toEqual(['kept.webp'])
})

test('leaves no file behind if storing fails', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'disk-storage-'))
  await mkdir(join(folder.path, 'AB', file, 'in the way'), { recursive: true })
  const storage = createDiskStorage(folder.path)

  await expect(storage.put(file, Buffer.from('petals'), 'image/webp')).rejects.toThrow()

  expect(await filesBelow(folder.path)).toEqual([])
})
