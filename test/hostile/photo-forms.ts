import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc, { type Arbitrary } from 'fast-check'
import sharp from 'sharp'
import { apiBase, types } from '#contract/constants.ts'
import { blackPng, progressiveJpeg } from '#test/pictures.ts'
import type { HostileRequest } from './requests.ts'

const boundary = 'fence'
const unknownId = '999999999999'

/** The places where a form is truncated. */
const cuts = [
  'uncut',
  'in the head of a photo',
  'in a photo',
  'after a photo',
  'in the closing boundary',
] as const

interface File {
  readonly name: string
  readonly bytes: Buffer
}

const file: Arbitrary<File> = fc.record({
  name: fc.constantFrom('image', 'file', 'x', '__proto__'),
  bytes: fc.constantFrom(Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(100_000, 'x')),
})

/** Generates forms with photos. Many are valid; others are truncated or have other files before the photo or an invalid photo. */
export async function photoForms(): Promise<Arbitrary<HostileRequest>> {
  const photos = await readPhotos()
  const fields = { title: 'Plums', type_id: String(types.giveaway), city: 'Astoria' }
  const form = fc.record({
    target: fc.constantFrom(
      { method: 'POST', path: '/listings', name: 'image' },
      { method: 'POST', path: '/listings', name: 'image' },
      { method: 'POST', path: '/images', name: 'image' },
      { method: 'POST', path: '/auth/upload-profile-image', name: 'file' },
      { method: 'PUT', path: `/listings/${unknownId}/image`, name: 'image' },
    ),
    photo: fc.constantFrom(...photos),
    /** Files before the photo. */
    before: fc.oneof(
      { weight: 3, arbitrary: fc.constant<File[]>([]) },
      { weight: 1, arbitrary: fc.array(file, { maxLength: 5 }) },
    ),
    fieldsLast: fc.boolean(),
    cut: fc.oneof(
      { weight: 2, arbitrary: fc.constant('uncut' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...cuts) },
    ),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  return form.map(({ target: { method, path, name }, photo, before, fieldsLast, cut, share }) => {
    const texts = Object.entries(fields).map(([field, text]) =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`),
    )
    const files = before.map((file) => Buffer.concat([headOf(file.name), file.bytes, Buffer.from('\r\n')]))
    const head = headOf(name)
    const start = Buffer.concat([...(fieldsLast ? [] : texts), ...files])
    const end = Buffer.concat([
      Buffer.from('\r\n'),
      ...(fieldsLast ? texts : []),
      Buffer.from(`--${boundary}--`),
    ])
    const whole = Buffer.concat([start, head, photo, end])
    const body = start.length + head.length
    const lengths = {
      uncut: whole.length,
      'in the head of a photo': start.length + Math.floor(share * head.length),
      'in a photo': body + Math.floor(share * photo.length),
      'after a photo': body + photo.length + Math.floor(share * (end.length - boundary.length - 4)),
      'in the closing boundary': whole.length - 1 - Math.floor(share * (boundary.length + 3)),
    }
    return {
      method,
      path: apiBase + path,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: whole.subarray(0, lengths[cut]),
      withToken: true,
    }
  })
}

function headOf(name: string): Buffer {
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
  )
}

async function readPhotos(): Promise<Buffer[]> {
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: 'olive' } })
  const jpeg = await plain.clone().jpeg().toBuffer()
  return [
    jpeg,
    await plain.clone().png().toBuffer(),
    await plain.clone().webp().toBuffer(),
    await plain.clone().avif({ effort: 0 }).toBuffer(),
    await readFile(join(import.meta.dirname, '..', 'fixtures', 'turned-p3-gps.heic')),
    jpeg.subarray(0, jpeg.length / 2),
    blackPng(16_384, 16_384),
    await progressiveJpeg(200),
    Buffer.alloc(0),
  ]
}
