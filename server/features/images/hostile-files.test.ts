import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { Actor } from '#test/actor.ts'
import { type HostileFile, hostileFiles, secret } from '#test/hostile/pictures.ts'
import { newWorld } from '#test/world.ts'

const temporary = await mkdtemp(join(tmpdir(), 'rhubarb-files-'))
vi.stubEnv('TMPDIR', temporary)
const world = await newWorld()
const [ann] = await world.members('ann')
const files = await hostileFiles()
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

/** Posts a listing with the file. Its name and type are sent unchanged. */
function post(actor: Actor, { bytes, type = 'image/jpeg', filename = 'photo.jpg' }: HostileFile) {
  const field = (name: string, value: string) =>
    `--fence\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `--fence\r\nContent-Disposition: form-data; name="image"; filename="${filename}"\r\n${type && `Content-Type: ${type}\r\n`}\r\n`
  const body = Buffer.concat([
    Buffer.from(field('title', 'Beans') + field('type_id', '3') + head),
    bytes,
    Buffer.from('\r\n--fence--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=fence' }
  return actor.send<Listing>('POST', '/api/listings', { body, headers })
}

async function storedCounts() {
  const stored = await readdir(join(world.dataDir, 'images'), { recursive: true }).catch(() => [])
  const waiting = (await readdir(temporary)).filter((name) => name.startsWith('rhubarb-upload'))
  const images = await world.db.selectFrom('images').select('name').execute()
  return { files: stored.filter((name) => name.endsWith('.webp')).length, waiting, images: images.length }
}

test.each(files.map((file): [string, HostileFile] => [file.name, file]))(
  'stores only the pixels of an upload or refuses it: %s',
  async (_, file) => {
    const before = await storedCounts()
    const { status, body } = await post(ann, file)
    const { expected } = file
    expect(status).toBe(typeof expected === 'number' ? expected : 201)
    if (expected === 'ignored') expect(body.image).toBe(null)
    if (expected !== 'stored') {
      await expect.poll(storedCounts).toEqual(before)
      return
    }

    const served = (body.image?.srcset ?? '').split(', ').map((size) => size.split(' ')[0] ?? '')
    expect(served.length).toBeGreaterThan(0)
    for (const path of served) {
      const { status, headers, body } = await world.guest().send<Blob>('GET', path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('image/webp')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const bytes = Buffer.from(await body.arrayBuffer())
      expect(bytes.includes(secret)).toBe(false)
      const { format, pages, exif, xmp, icc, iptc } = await sharp(bytes).metadata()
      expect({ format, pages, exif, xmp, icc, iptc }).toEqual({ format: 'webp' })
    }
    await expect.poll(async () => (await storedCounts()).waiting).toEqual([])
  },
)

test('logs no error', () => {
  expect(world.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([])
})
