import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { animatedWebp, blackPng, pngChunk, progressiveJpeg } from '#test/pictures.ts'

/** Is in every part of a file that is not a pixel. Served images must not contain it. */
export const secret = 'My-Garden-Gate-Is-Open'
const script = `<script>alert("${secret}")</script>`

/** `stored`: its pixels become a photo. `ignored`: like no file. Otherwise the status of the refusal. */
type ExpectedResult = 'stored' | 'ignored' | 413 | 415

export interface HostileFile {
  readonly name: string
  readonly expected: ExpectedResult
  readonly bytes: () => Promise<Buffer>
  /** The content type of the form's part, independent of the bytes. */
  readonly type?: string
  readonly filename?: string
}

const root = join(import.meta.dirname, '..', 'fixtures')

function plain(width = 60, height = 40): Sharp {
  return sharp({ create: { width, height, channels: 3, background: 'olive' } })
}

/** Inserts a segment after the start of a JPEG. */
function withSegment(jpeg: Buffer, marker: number, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, bytes, jpeg.subarray(2)])
}

/** Inserts a chunk after the header of a PNG. */
function withChunk(png: Buffer, name: string, data: Buffer | string): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(name, data), png.subarray(33)])
}

/** Inserts many empty chunks after the header of a PNG. */
function withChunks(png: Buffer, count: number): Buffer {
  const chunk = pngChunk('prVt', '')
  return Buffer.concat([png.subarray(0, 33), Buffer.alloc(count * chunk.length, chunk), png.subarray(33)])
}

/** Returns a PNG whose header has another size. */
function withHeaderSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)])
}

/** Returns a JPEG whose frame header has another size. */
function withClaimedSize(jpeg: Buffer, side: number): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const changed = Buffer.from(jpeg)
  changed.writeUInt16BE(side, frame + 5)
  changed.writeUInt16BE(side, frame + 7)
  return changed
}

const latin = (text: string) => Buffer.from(text, 'latin1')
const after = (bytes: Buffer, more: string | Buffer) => Buffer.concat([bytes, Buffer.from(more)])

/** The bytes of a file, or a function for files that take long to make. */
type Bytes = Buffer | string | (() => Buffer | Promise<Buffer>)
type Sent = Pick<Partial<HostileFile>, 'type' | 'filename'>

function file(name: string, expected: ExpectedResult, bytes: Bytes, sent?: Sent): HostileFile {
  const make = async () => (typeof bytes === 'function' ? bytes() : Buffer.from(bytes))
  return { name, expected, bytes: make, ...sent }
}

const stored = (name: string, bytes: Bytes, sent?: Sent) => file(name, 'stored', bytes, sent)
const refused = (name: string, bytes: Bytes, sent?: Sent) => file(name, 415, bytes, sent)
const tooLarge = (name: string, bytes: Bytes) => file(name, 413, bytes)

/** Returns a WebP that shows pictures of these colors one after the other. */
async function animated(colors: readonly string[], width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ effort: 0 })
    .toBuffer()
}

/** Returns files that are no photos, and photos with metadata, scripts or unusual encodings. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const groups = [
    photosWithForeignData(),
    photosInUnusualFormats(),
    photosWithMisleadingNames(),
    foreignFiles(),
    malformedPhotos(),
    oversizedPhotos(),
  ]
  return (await Promise.all(groups)).flat()
}

async function photosWithForeignData(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const png = await plain().png().toBuffer()
  const webp = await plain().webp().toBuffer()
  const heic = await readFile(join(root, 'turned-p3-gps.heic'))
  const exif = {
    IFD0: { Model: secret, Copyright: secret },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  }
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${secret} --></x:xmpmeta>`
  return [
    stored('a JPEG with a location', await plain().withExif(exif).jpeg().toBuffer()),
    stored('a WebP with a location', await plain().withExif(exif).webp().toBuffer()),
    stored('a PNG with a location', await plain().withExif(exif).png().toBuffer()),
    stored('an AVIF with a location', () => plain().withExif(exif).avif({ effort: 0 }).toBuffer()),
    stored('a HEIC with a location', heic),
    stored('a JPEG with XMP', await plain().withXmp(xmp).jpeg().toBuffer()),
    stored('a WebP with XMP', await plain().withXmp(xmp).webp().toBuffer()),
    stored('a JPEG with a color profile', await plain().withIccProfile('p3').jpeg().toBuffer()),
    stored('a JPEG with a comment', withSegment(jpeg, 0xfe, secret)),
    stored('a JPEG with PHP as a comment', withSegment(jpeg, 0xfe, `<?php system("${secret}"); ?>`)),
    stored('a JPEG with IPTC metadata', withSegment(jpeg, 0xed, `Photoshop 3.0\u00008BIM${secret}`)),
    stored('a JPEG with malformed EXIF', withSegment(jpeg, 0xe1, `Exif\u0000\u0000${secret}`)),
    stored(
      'a JPEG with a malformed color profile',
      withSegment(jpeg, 0xe2, `ICC_PROFILE\u0000\u0001\u0001${secret}`),
    ),
    stored('a PNG with a text chunk', withChunk(png, 'tEXt', `Comment\u0000${secret}`)),
    stored('a PNG with compressed text of 60 MB', () =>
      withChunk(
        png,
        'zTXt',
        Buffer.concat([latin('Comment\u0000\u0000'), deflateSync(Buffer.alloc(60_000_000, secret))]),
      ),
    ),
    stored('a PNG with an unknown chunk', withChunk(png, 'prVt', secret)),
    stored('a JPEG followed by HTML', after(jpeg, `<html>${script}</html>`)),
    stored('a JPEG followed by an archive', after(jpeg, latin(`PK\u0003\u0004${secret}`))),
    stored('a PNG followed by a script', after(png, script)),
    stored('a WebP followed by a script', after(webp, script)),
    stored('a JPEG with a script between its segments', withSegment(jpeg, 0xef, `*/=1;alert("${secret}")/*`)),
  ]
}

async function photosInUnusualFormats(): Promise<HostileFile[]> {
  const png = await plain().png().toBuffer()
  return [
    stored('an animated WebP', await animated(['red', 'blue'], 30, 20)),
    stored(
      'an animated PNG',
      withChunk(withChunk(png, 'fcTL', Buffer.alloc(26)), 'acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    ),
    stored('a progressive JPEG', await plain().jpeg({ progressive: true }).toBuffer()),
    stored('an interlaced PNG', await plain().png({ progressive: true }).toBuffer()),
    stored('a PNG with a palette', await plain().png({ palette: true }).toBuffer()),
    stored('a PNG of 16 bits a color', await plain().toColourspace('rgb16').png().toBuffer()),
    stored(
      'a transparent PNG',
      await sharp({ create: { width: 30, height: 20, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
    ),
    stored('a CMYK JPEG', await plain().toColourspace('cmyk').jpeg().toBuffer()),
    stored('a grayscale JPEG', await plain().toColourspace('b-w').jpeg().toBuffer()),
    stored('a lossless WebP', await plain().webp({ lossless: true }).toBuffer()),
    stored('a single pixel', await plain(1, 1).jpeg().toBuffer()),
    stored('an image one pixel wide', await plain(1, 30_000).png().toBuffer()),
    stored('an image one pixel high', await plain(30_000, 1).png().toBuffer()),
    stored('a rotated JPEG', await plain().withMetadata({ orientation: 5 }).jpeg().toBuffer()),
  ]
}

async function photosWithMisleadingNames(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const png = await plain().png().toBuffer()
  return [
    stored('a JPEG with the type text/html', jpeg, { type: 'text/html', filename: 'photo.html' }),
    stored('a JPEG with the type SVG', jpeg, { type: 'image/svg+xml', filename: 'photo.svg' }),
    stored('a PNG with the type JPEG', png, { type: 'image/jpeg', filename: 'photo.jpg' }),
    stored('a JPEG without a type', jpeg, { type: '' }),
    stored('a file name with parent folders', jpeg, { filename: '../../../../etc/cron.d/photo.jpg' }),
    stored('a file name with a Windows path', jpeg, { filename: 'C:\\Windows\\System32\\photo.jpg' }),
    stored('a file name with NUL', jpeg, { filename: 'photo.php\u0000.jpg' }),
    stored('a file name of a thousand letters', jpeg, { filename: `${'a'.repeat(1000)}.jpg` }),
    stored('a file name with a right-to-left override', jpeg, { filename: '\u202egpj.exe' }),
    stored('a file name with HTML', jpeg, { filename: '<img src=x onerror=alert(1)>.jpg' }),
    stored('a file name with shell commands', jpeg, { filename: '$(reboot);`reboot`|.jpg' }),
    stored('a file name with an encoded line break', jpeg, { filename: 'photo.jpg%0d%0aX-Evil: 1' }),
    file('an empty file', 'ignored', ''),
  ]
}

async function foreignFiles(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const gif = await plain().gif().toBuffer()
  const svg = (inside: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`)
  return [
    refused('text', 'tomatoes', { type: 'image/jpeg' }),
    refused('HTML', `<!doctype html>${script}`, { type: 'image/jpeg' }),
    refused('an SVG with a script', svg(script), { type: 'image/svg+xml', filename: 'photo.svg' }),
    refused('an SVG with the type PNG', svg(script), { type: 'image/png' }),
    refused('an SVG that references a file', svg('<image href="file:///etc/passwd" width="9" height="9"/>')),
    refused(
      'an SVG that references an internal address',
      svg('<image href="http://169.254.169.254/" width="9" height="9"/>'),
    ),
    refused(
      'an SVG with entity expansion',
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
    ),
    refused('a GIF', gif),
    refused('a GIF that is a script', `GIF89a/*${'\u0000'.repeat(20)}*/=1;${script}`),
    refused('a PDF', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'),
    refused('a PDF header before a JPEG', after(latin('%PDF-1.7\n'), jpeg)),
    refused('a TIFF', await plain().tiff().toBuffer()),
    refused('a BMP', latin(`BM${'\u0000'.repeat(60)}`)),
    refused('an icon', latin('\u0000\u0000\u0001\u0000\u0001\u0000')),
    refused('a Photoshop file', latin('8BPS\u0000\u0001')),
    refused('a JPEG 2000', latin('\u0000\u0000\u0000\u000cjP  \r\n\u0087\n')),
    refused('a JPEG XL', Buffer.from('ff0a00', 'hex')),
    refused('a video', latin('\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0000\u0000isommp42')),
    refused('an archive', latin(`PK\u0003\u0004${'\u0000'.repeat(26)}`)),
    refused('a compressed file of 60 MB', () => gzipSync(Buffer.alloc(60_000_000))),
    refused('an executable', latin('\u007fELF\u0002\u0001\u0001')),
    refused(
      'an ImageMagick script',
      'push graphic-context\nfill \'url(https://127.0.0.1/"|reboot")\'\npop graphic-context',
    ),
    refused('PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%reboot) (w) file'),
    refused('a JPEG after a few bytes', after(latin('\u0000\u0000'), jpeg)),
  ]
}

async function malformedPhotos(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const png = await plain().png().toBuffer()
  const webp = await plain().webp().toBuffer()
  const avif = () => plain().avif({ effort: 0 }).toBuffer()
  const gif = await plain().gif().toBuffer()
  const heic = await readFile(join(root, 'turned-p3-gps.heic'))
  return [
    refused("a JPEG's first bytes", jpeg.subarray(0, 20)),
    refused("a JPEG's first bytes before HTML", after(Buffer.from('ffd8ffe0', 'hex'), `<html>${script}`)),
    refused('a truncated JPEG', jpeg.subarray(0, jpeg.length >> 1)),
    refused('a truncated PNG', png.subarray(0, png.length - 20)),
    refused('a truncated WebP', webp.subarray(0, webp.length >> 1)),
    refused('a truncated AVIF', async () => {
      const bytes = await avif()
      return bytes.subarray(0, bytes.length >> 1)
    }),
    refused('a truncated HEIC', heic.subarray(0, heic.length >> 1)),
    refused('an empty HEIC', latin('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic')),
    refused('an empty AVIF', latin('\u0000\u0000\u0000\u0018ftypavif\u0000\u0000\u0000\u0000mif1avif')),
    refused('an empty WebP', latin('RIFF\u00ff\u00ff\u00ff\u007fWEBPVP8 ')),
    refused('a JPEG of 39.5 megapixels in 13,000 scans', () =>
      progressiveJpeg(13_000, { width: 7900, height: 5000 }),
    ),
    refused('a WebP of 100,000 frames', () => animatedWebp(100_000)),
    stored('a PNG with 800,000 chunks', () => withChunks(png, 800_000)),
    refused('a PNG of zero pixels', withHeaderSize(png, 0, 0)),
    refused('a PNG with fewer pixels than its header says', withHeaderSize(png, 600, 400)),
    refused('a GIF after the first bytes of a PNG', after(png.subarray(0, 8), gif)),
  ]
}

async function oversizedPhotos(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const png = await plain().png().toBuffer()
  return [
    tooLarge('256 megapixels in some kilobytes', () => blackPng(16_384, 16_384)),
    tooLarge('a PNG whose header says four thousand megapixels', withHeaderSize(png, 65_535, 65_535)),
    tooLarge('a JPEG whose header says four thousand megapixels', withClaimedSize(jpeg, 65_500)),
    tooLarge('an animation with too many pixels', () => animated(['red', 'green', 'blue'], 4000, 3400)),
    tooLarge('eleven megabytes', () => Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)])),
  ]
}
