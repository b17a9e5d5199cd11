// `npm run icons` renders the drawings of web/art as bitmaps: the icons of the installed app, the two icons that browsers
// request at the root of every site, and the large scenes, whose AVIF files are smaller than the SVG.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pngToIco from 'png-to-ico'
import sharp from 'sharp'
import { root } from './setup.mjs'

const background = '#6b1a30'
const drawing = await readFile(join(root, 'web/art/logo/app-icon.svg'))

/** Writes an icon. `share` is the part of the side that the drawing fills: systems that mask icons keep only the middle 80 %. */
async function writeIcon(name: string, side: number, share: number): Promise<void> {
  const inner = Math.round(side * share)
  const mark = await sharp(drawing, { density: 1200 }).resize(inner).png().toBuffer()
  await sharp({ create: { width: side, height: side, channels: 3, background: background } })
    .composite([{ input: mark }])
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(root, 'web/public/icons', name))
}

await writeIcon('icon-192.png', 192, 1)
await writeIcon('icon-512.png', 512, 1)
await writeIcon('maskable-512.png', 512, 0.85)
await writeIcon('apple-touch-icon.png', 180, 0.92)
await copyFile(
  join(root, 'web/public/icons/apple-touch-icon.png'),
  join(root, 'web/public/apple-touch-icon.png'),
)

const favicons = [16, 32, 48].map((side) => sharp(drawing, { density: 1200 }).resize(side).png().toBuffer())
await writeFile(join(root, 'web/public/favicon.ico'), await pngToIco(await Promise.all(favicons)))

const scenes = { fence: [1200, 2000], border: [1280, 2560] }
for (const [name, widths] of Object.entries(scenes)) {
  for (const width of widths) {
    await sharp(join(root, `web/art/scenes/${name}.svg`), { density: 150 })
      .resize(width)
      .avif({ quality: 55, effort: 6 })
      .toFile(join(root, `web/art/scenes/${name}-${width}.avif`))
  }
}

// Phones show only the middle of the fence.
await sharp(join(root, 'web/art/scenes/fence.svg'), { density: 150 })
  .resize({ width: 740, height: 560, position: 'center' })
  .avif({ quality: 55, effort: 6 })
  .toFile(join(root, 'web/art/scenes/fence-phone.avif'))
