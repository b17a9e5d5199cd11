// `npm run icons`: the icons of the installed app, drawn from web/art/logo/app-icon.svg. Only needed when that changes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { root } from './setup.mjs'

const ground = '#6b1a30'
const drawing = await readFile(join(root, 'web/art/logo/app-icon.svg'))

/** `share` is how much of the side the drawing takes: systems that cut an icon to their own shape keep the middle 80 %. */
async function draw(name: string, side: number, share: number): Promise<void> {
  const inner = Math.round(side * share)
  const mark = await sharp(drawing, { density: 1200 }).resize(inner).png().toBuffer()
  await sharp({ create: { width: side, height: side, channels: 3, background: ground } })
    .composite([{ input: mark }])
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(root, 'web/public/icons', name))
}

await draw('icon-192.png', 192, 1)
await draw('icon-512.png', 512, 1)
await draw('maskable-512.png', 512, 0.85)
await draw('apple-touch-icon.png', 180, 0.92)
