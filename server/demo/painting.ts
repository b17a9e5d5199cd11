import sharp from 'sharp'
import type { Composition, Layer } from './composing.ts'
import type { Drawing, DrawingName } from './drawings.ts'

/** The side of a painted picture, in pixels. */
const side = 640
/** The side of every drawing's box, and of the picture that it is composed in. */
const box = 400
/** Where most drawings stand in their box. */
const foot = 346

/** Paints a composition as a PNG. */
export async function paint(
  { ground, layers }: Composition,
  drawingOf: (name: DrawingName) => Promise<Drawing>,
): Promise<Buffer> {
  const names = [...new Set(layers.map(({ drawing }) => drawing))]
  const drawn = await Promise.all(names.map(async (name) => ({ name, ...(await drawingOf(name)) })))
  const definitions = drawn.map(
    ({ name, shapes, silhouette }) =>
      `<g id="${idOf(name)}">${shapes}</g><g id="${idOf(name)}-shade">${silhouette}</g>`,
  )
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${box} ${box}" width="${side}" height="${side}">`,
    `<defs>${definitions.join('')}</defs>`,
    ground,
    ...layers.map(layerAsSvg),
    '</svg>',
  ]
  return sharp(Buffer.from(svg.join('')))
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Paints a portrait, which is a picture already. */
export async function paintPortrait(file: string): Promise<Buffer> {
  return sharp(file, { density: 220 }).resize(460, 460).flatten({ background: 'white' }).png().toBuffer()
}

function layerAsSvg({ drawing, x, y, width, turn, shadow }: Layer): string {
  const scale = Math.abs(width) / box
  const placed = (dx: number, dy: number) =>
    `translate(${x + dx} ${y + dy}) rotate(${turn}) scale(${width < 0 ? -scale : scale} ${scale}) translate(${-box / 2} ${-box / 2})`
  const shape = `<use href="#${idOf(drawing)}" transform="${placed(0, 0)}"/>`
  if (shadow === 'none') return shape
  if (shadow === 'foot') {
    const at = y + (foot - box / 2) * scale
    return `<ellipse cx="${x + 6 * scale}" cy="${at}" rx="${150 * scale}" ry="${20 * scale}" fill="#2a1a12" opacity=".22"/>${shape}`
  }
  const cast = `<use href="#${idOf(drawing)}-shade" transform="${placed(9 * scale, 15 * scale)}" opacity=".24"/>`
  return cast + shape
}

function idOf(name: DrawingName): string {
  return name.replaceAll(' ', '-')
}
