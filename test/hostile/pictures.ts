import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { animatedWebp, blackPng, pngChunk, progressiveJpeg } from '#test/pictures.ts'

/** Stands in every part of a file that is no pixel; nothing that is served may hold it. */
export const secret = 'My-Garden-Gate-Is-Open'
const script = `<script>alert("${secret}")</script>`

/** `taken`: its pixels become a photo. `none`: as if nothing was sent. Otherwise the status of the refusal. */
type Fate = 'taken' | 'none' | 413 | 415

export interface HostileFile {
  readonly what: string
  readonly fate: Fate
  readonly bytes: Buffer
  /** As their part of the form says, with no regard for what is in it. */
  readonly type?: string
  readonly filename?: string
}

const root = join(import.meta.dirname, '..', 'fixtures')

function plain(width = 60, height = 40): Sharp {
  return sharp({ create: { width, height, channels: 3, background: 'olive' } })
}

/** Puts a segment behind the start of a JPEG. */
function withSegment(jpeg: Buffer, marker: number, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, bytes, jpeg.subarray(2)])
}

/** Puts a chunk behind the header of a PNG. */
function withChunk(png: Buffer, name: string, data: Buffer | string): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(name, data), png.subarray(33)])
}

/** Puts many chunks without data behind the header of a PNG. */
function withChunks(png: Buffer, count: number): Buffer {
  const chunk = pngChunk('prVt', '')
  return Buffer.concat([png.subarray(0, 33), Buffer.alloc(count * chunk.length, chunk), png.subarray(33)])
}

function sized(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)])
}

/** A JPEG whose frame header claims another size. */
function claiming(jpeg: Buffer, side: number): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const lying = Buffer.from(jpeg)
  lying.writeUInt16BE(side, frame + 5)
  lying.writeUInt16BE(side, frame + 7)
  return lying
}

const latin = (text: string) => Buffer.from(text, 'latin1')
const after = (bytes: Buffer, more: string | Buffer) => Buffer.concat([bytes, Buffer.from(more)])

/** The files that somebody might send in place of a photo, and photos with more in them than a photo. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const jpeg = await plain().jpeg().toBuffer()
  const png = await plain().png().toBuffer()
  const webp = await plain().webp().toBuffer()
  const avif = await plain().avif({ effort: 0 }).toBuffer()
  const gif = await plain().gif().toBuffer()
  const heic = await readFile(join(root, 'turned-p3-gps.heic'))
  const exif = {
    IFD0: { Model: secret, Copyright: secret },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  }
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${secret} --></x:xmpmeta>`
  const svg = (inside: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`)
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  const many = await Promise.all(
    ['red', 'green', 'blue'].map((background) =>
      sharp({ create: { width: 4000, height: 3400, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const tooManyPixels = await sharp(many, { join: { animated: true } })
    .webp({ effort: 0 })
    .toBuffer()
  const taken = (what: string, bytes: Buffer, sent: Partial<HostileFile> = {}): HostileFile => ({
    what,
    fate: 'taken',
    bytes,
    ...sent,
  })
  const refused = (what: string, bytes: Buffer | string, sent: Partial<HostileFile> = {}): HostileFile => ({
    what,
    fate: 415,
    bytes: Buffer.from(bytes),
    ...sent,
  })
  const tooLarge = (what: string, bytes: Buffer): HostileFile => ({ what, fate: 413, bytes })

  return [
    taken('a JPEG that knows where it was taken', await plain().withExif(exif).jpeg().toBuffer()),
    taken('a WebP that knows where it was taken', await plain().withExif(exif).webp().toBuffer()),
    taken('a PNG that knows where it was taken', await plain().withExif(exif).png().toBuffer()),
    taken(
      'an AVIF that knows where it was taken',
      await plain().withExif(exif).avif({ effort: 0 }).toBuffer(),
    ),
    taken('a HEIC that knows where it was taken', heic),
    taken('a JPEG with XMP', await plain().withXmp(xmp).jpeg().toBuffer()),
    taken('a WebP with XMP', await plain().withXmp(xmp).webp().toBuffer()),
    taken('a JPEG with a colour profile', await plain().withIccProfile('p3').jpeg().toBuffer()),
    taken('a JPEG with a comment', withSegment(jpeg, 0xfe, secret)),
    taken('a JPEG with PHP for a comment', withSegment(jpeg, 0xfe, `<?php system("${secret}"); ?>`)),
    taken(
      'a JPEG with the words of a news agency',
      withSegment(jpeg, 0xed, `Photoshop 3.0\u00008BIM${secret}`),
    ),
    taken('a JPEG whose EXIF is nonsense', withSegment(jpeg, 0xe1, `Exif\u0000\u0000${secret}`)),
    taken(
      'a JPEG whose colour profile is nonsense',
      withSegment(jpeg, 0xe2, `ICC_PROFILE\u0000\u0001\u0001${secret}`),
    ),
    taken('a PNG with words in it', withChunk(png, 'tEXt', `Comment\u0000${secret}`)),
    taken(
      'a PNG whose words unpack to 60 MB',
      withChunk(
        png,
        'zTXt',
        Buffer.concat([latin('Comment\u0000\u0000'), deflateSync(Buffer.alloc(60_000_000, secret))]),
      ),
    ),
    taken('a PNG with a chunk that nobody knows', withChunk(png, 'prVt', secret)),
    taken('a JPEG before a page', after(jpeg, `<html>${script}</html>`)),
    taken('a JPEG before an archive', after(jpeg, latin(`PK\u0003\u0004${secret}`))),
    taken('a PNG before a script', after(png, script)),
    taken('a WebP before a script', after(webp, script)),
    taken('a JPEG with a script between its segments', withSegment(jpeg, 0xef, `*/=1;alert("${secret}")/*`)),
    taken('a photo that moves', moving),
    taken(
      'a PNG that moves',
      withChunk(withChunk(png, 'fcTL', Buffer.alloc(26)), 'acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    ),
    taken('a progressive JPEG', await plain().jpeg({ progressive: true }).toBuffer()),
    taken('an interlaced PNG', await plain().png({ progressive: true }).toBuffer()),
    taken('a PNG with a palette', await plain().png({ palette: true }).toBuffer()),
    taken('a PNG of 16 bits a colour', await plain().toColourspace('rgb16').png().toBuffer()),
    taken(
      'a PNG that can be seen through',
      await sharp({ create: { width: 30, height: 20, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
    ),
    taken('a photo for print', await plain().toColourspace('cmyk').jpeg().toBuffer()),
    taken('a photo in greys', await plain().toColourspace('b-w').jpeg().toBuffer()),
    taken('a WebP without loss', await plain().webp({ lossless: true }).toBuffer()),
    taken('a single point', await plain(1, 1).jpeg().toBuffer()),
    taken('a thread, upright', await plain(1, 30_000).png().toBuffer()),
    taken('a thread, lying', await plain(30_000, 1).png().toBuffer()),
    taken('a JPEG that lies on its side', await plain().withMetadata({ orientation: 5 }).jpeg().toBuffer()),
    taken('a JPEG that says it is a page', jpeg, { type: 'text/html', filename: 'photo.html' }),
    taken('a JPEG that says it is an SVG', jpeg, { type: 'image/svg+xml', filename: 'photo.svg' }),
    taken('a PNG that says it is a JPEG', png, { type: 'image/jpeg', filename: 'photo.jpg' }),
    taken('a JPEG that says nothing', jpeg, { type: '' }),
    taken('a name that climbs', jpeg, { filename: '../../../../etc/cron.d/photo.jpg' }),
    taken("a name of another system's path", jpeg, { filename: 'C:\\Windows\\System32\\photo.jpg' }),
    taken('a name with NUL in it', jpeg, { filename: 'photo.php\u0000.jpg' }),
    taken('a name of a thousand letters', jpeg, { filename: `${'a'.repeat(1000)}.jpg` }),
    taken('a name that reads backwards', jpeg, { filename: '\u202egpj.exe' }),
    taken('a name that is a script', jpeg, { filename: '<img src=x onerror=alert(1)>.jpg' }),
    taken('a name that is a command', jpeg, { filename: '$(reboot);`reboot`|.jpg' }),
    taken('a name with the end of a line', jpeg, { filename: 'photo.jpg%0d%0aX-Evil: 1' }),
    { what: 'nothing', fate: 'none', bytes: Buffer.alloc(0) },

    refused('text', 'tomatoes', { type: 'image/jpeg' }),
    refused('a page', `<!doctype html>${script}`, { type: 'image/jpeg' }),
    refused('an SVG with a script', svg(script), { type: 'image/svg+xml', filename: 'photo.svg' }),
    refused('an SVG that says it is a PNG', svg(script), { type: 'image/png' }),
    refused('an SVG that reads files', svg('<image href="file:///etc/passwd" width="9" height="9"/>')),
    refused(
      'an SVG that asks the neighbours',
      svg('<image href="http://169.254.169.254/" width="9" height="9"/>'),
    ),
    refused(
      'an SVG that grows',
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
    ),
    refused('a GIF', gif),
    refused('a GIF that is a script', `GIF89a/*${'\u0000'.repeat(20)}*/=1;${script}`),
    refused('a PDF', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'),
    refused('a PDF before a JPEG', after(latin('%PDF-1.7\n'), jpeg)),
    refused('a TIFF', await plain().tiff().toBuffer()),
    refused('a BMP', latin(`BM${'\u0000'.repeat(60)}`)),
    refused('an icon', latin('\u0000\u0000\u0001\u0000\u0001\u0000')),
    refused('a Photoshop file', latin('8BPS\u0000\u0001')),
    refused('a JPEG 2000', latin('\u0000\u0000\u0000\u000cjP  \r\n\u0087\n')),
    refused('a JPEG XL', Buffer.from('ff0a00', 'hex')),
    refused('a film', latin('\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0000\u0000isommp42')),
    refused('an archive', latin(`PK\u0003\u0004${'\u0000'.repeat(26)}`)),
    refused('an archive that unpacks to 60 MB', gzipSync(Buffer.alloc(60_000_000))),
    refused('a program', latin('\u007fELF\u0002\u0001\u0001')),
    refused(
      "ImageMagick's commands",
      'push graphic-context\nfill \'url(https://127.0.0.1/"|reboot")\'\npop graphic-context',
    ),
    refused('PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%reboot) (w) file'),
    refused('a JPEG after a few bytes', after(latin('\u0000\u0000'), jpeg)),
    refused("a JPEG's first bytes", jpeg.subarray(0, 20)),
    refused("a JPEG's first bytes before a page", after(Buffer.from('ffd8ffe0', 'hex'), `<html>${script}`)),
    refused('a JPEG cut in the middle', jpeg.subarray(0, jpeg.length >> 1)),
    refused('a PNG cut in the middle', png.subarray(0, png.length - 20)),
    refused('a WebP cut in the middle', webp.subarray(0, webp.length >> 1)),
    refused('an AVIF cut in the middle', avif.subarray(0, avif.length >> 1)),
    refused('a HEIC cut in the middle', heic.subarray(0, heic.length >> 1)),
    refused('a HEIC of nothing', latin('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic')),
    refused('an AVIF of nothing', latin('\u0000\u0000\u0000\u0018ftypavif\u0000\u0000\u0000\u0000mif1avif')),
    refused('a WebP of nothing', latin('RIFF\u00ff\u00ff\u00ff\u007fWEBPVP8 ')),
    refused(
      'a JPEG of 39.5 megapixels in 13,000 scans',
      await progressiveJpeg(13_000, { width: 7900, height: 5000 }),
    ),
    refused('a WebP of 100,000 frames', await animatedWebp(100_000)),
    taken('a PNG with 800,000 chunks', withChunks(png, 800_000)),
    refused('a PNG of nothing', sized(png, 0, 0)),
    refused('a PNG with less in it than it says', sized(png, 600, 400)),
    refused('a GIF behind the beginning of a PNG', after(png.subarray(0, 8), gif)),

    tooLarge('256 megapixels in some kilobytes', blackPng(16_384, 16_384)),
    tooLarge('a PNG that claims four thousand megapixels', sized(png, 65_535, 65_535)),
    tooLarge('a JPEG that claims four thousand megapixels', claiming(jpeg, 65_500)),
    tooLarge('a photo that moves too much', tooManyPixels),
    tooLarge('eleven megabytes', Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)])),
  ]
}
