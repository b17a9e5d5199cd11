import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'
import { sweepImages } from './jobs.ts'

test('deletes stored images without a row after a day', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  await ann.call(createListing, { body: { title: 'Kale', type_id: types.giveaway }, file: await photo() })
  const folder = join(world.dataDir, 'images')
  const currentFiles = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  const withRows = await currentFiles()
  const createFile = async (part: string, name: string) => {
    await mkdir(join(folder, part), { recursive: true })
    await writeFile(join(folder, part, name), 'petals')
    return join(folder, part, name)
  }
  const orphans = [
    await createFile('-_', `-_${'A'.repeat(20)}-160.webp`),
    await createFile('zz', `zz${'9'.repeat(20)}-1200.webp`),
    await createFile('unfinished', '6a0e4c5e-0000-4000-8000-000000000000'),
  ]
  const others = await createFile('no', 'notes.txt')
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const file of [...withRows, ...orphans, others]) await utimes(file, old, old)
  const fresh = await createFile('zz', `zz${'8'.repeat(20)}-1200.webp`)

  await world.runJob(sweepImages)

  expect((await currentFiles()).sort()).toEqual([...withRows, others, fresh].sort())
})
