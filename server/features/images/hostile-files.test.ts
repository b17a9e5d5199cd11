import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { Actor } from '#test/actor.ts'
import { type HostileFile, hostileFiles, secret } from '#test/hostile/pictures.ts'
import { isLong } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

const temporary = await mkdtemp(join(tmpdir(), 'rhubarb-files-'))
vi.stubEnv('TMPDIR', temporary)
const world = await newWorld()
const [ann] = await world.members('ann')

/** One file of each kind of attack. `npm run test:long` sends all. */
const fewFiles = [
  'a JPEG with a location',
  'a HEIC with a location',
  'a WebP with XMP',
  'a PNG with compressed text of 60 MB',
  'a JPEG followed by HTML',
  'an animated WebP',
  'a PNG of 16 bits a color',
  'an image one pixel wide',
  'a JPEG with the type text/html',
  'a JPEG without a type',
  'a file name with parent folders',
  'a file name with NUL',
  'an empty file',
  'an SVG with a script',
  'a GIF that is a script',
  'an ImageMagick script',
  'a truncated PNG',
  'a WebP of 100,000 frames',
  'a PNG with fewer pixels than its header says',
  'a JPEG whose header says four thousand megapixels',
]
const files = (await hostileFiles()).filter(({ name }) => isLong || fewFiles.includes(name))
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

/** Posts a listing with the file. Its name and type are sent unchanged. */
async function post(actor: Actor, { bytes, type = 'image/jpeg', filename = 'photo.jpg' }: HostileFile) {
  const field = (name: string, value: string) =>
    `--fence\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `--fence\r\nContent-Disposition: form-data; name="image"; filename="${filename}"\r\n${type && `Content-Type: ${type}\r\n`}\r\n`
  const body = Buffer.concat([
    Buffer.from(field('title', 'Beans') + field('type_id', '3') + head),
    await bytes(),
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
