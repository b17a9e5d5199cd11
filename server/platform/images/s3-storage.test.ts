import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startS3Server } from '#test/s3-server.ts'
import { openS3Storage, type S3Options } from './s3-storage.ts'

const file = 'AAAAAAAAAAAAAAAAAAAAAA-160.webp'

async function storeIn(endpoint: string, options: Partial<S3Options> = {}) {
  return openS3Storage({
    bucket: 'garden',
    region: 'eu-central-1',
    endpoint,
    pathStyle: true,
    credentials: { accessKeyId: 'gardener', secretAccessKey: 'compost' },
    ...options,
  })
}

test('stores a file in the bucket with its type and returns the same bytes', async () => {
  await using s3 = await startS3Server('gardener')
  const storage = await storeIn(s3.endpoint)
  const bytes = Buffer.from('petals')

  await storage.put(file, bytes, 'image/webp')
  const opened = await storage.open(file)

  expect([...s3.objects]).toEqual([[`/garden/${file}`, { bytes, type: 'image/webp' }]])
  expect(opened?.size).toBe(6)
  expect(opened && (await buffer(opened.stream))).toEqual(bytes)
})

test('returns undefined for a missing file', async () => {
  await using s3 = await startS3Server('gardener')
  const storage = await storeIn(s3.endpoint)

  expect(await storage.open(file)).toBeUndefined()
})

test('removes files and ignores missing ones', async () => {
  await using s3 = await startS3Server('gardener')
  const storage = await storeIn(s3.endpoint)
  await storage.put(file, Buffer.from('petals'), 'image/webp')
  await storage.put('kept.webp', Buffer.from('leaves'), 'image/webp')

  await storage.remove([file, 'never.webp'])

  expect([...s3.objects.keys()]).toEqual(['/garden/kept.webp'])
})

test('wrong credentials are an error, not a missing file', async () => {
  await using s3 = await startS3Server('gardener')
  const storage = await storeIn(s3.endpoint, {
    credentials: { accessKeyId: 'stranger', secretAccessKey: 'compost' },
  })

  await expect(storage.open(file)).rejects.toMatchObject({ name: 'AccessDenied' })
  await expect(storage.put(file, Buffer.from('weeds'), 'image/webp')).rejects.toMatchObject({
    name: 'AccessDenied',
  })
})

test('deletes old files that the callback returns, in pages', async () => {
  await using s3 = await startS3Server('gardener')
  const storage = await storeIn(s3.endpoint)
  const files = ['Aa.webp', 'Ab.webp', 'Ac.webp', 'Ad.webp', 'Ae.webp', 'Ba.webp']
  for (const name of files) await storage.put(name, Buffer.from('petals'), 'image/webp')
  const listed: string[][] = []
  const sweep = (before: string) =>
    storage.sweep('A', new Date(before), async (names) => {
      listed.push(names)
      return names.filter((name) => name !== 'Ac.webp')
    })

  expect(await sweep('2026-05-01T11:59:59Z')).toBe(0)
  expect(await sweep('2026-05-02')).toBe(4)
  expect(listed.flat().sort()).toEqual(files.slice(0, 5))
  expect([...s3.objects.keys()]).toEqual(['/garden/Ac.webp', '/garden/Ba.webp'])
})
