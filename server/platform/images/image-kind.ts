/** The accepted formats. AVIF and HEIC share the container HEIF and differ in their compression. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic'

/** The number of bytes that `imageKind` needs from the start of a file. */
export const headLength = 128

const avifBrands = new Set(['avif', 'avis'])
const heifBrands = new Set([...avifBrands, 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Returns the kind of an image by its first bytes, or undefined if it is not supported. */
export function imageKind(head: Buffer): ImageKind | undefined {
  if (head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg'
  if (head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png'
  if (ascii(head, 0) === 'RIFF' && ascii(head, 8) === 'WEBP') return 'webp'
  if (ascii(head, 4) === 'ftyp' && heifBrands.has(ascii(head, 8)))
    return brandsOf(head).some((brand) => avifBrands.has(brand)) ? 'avif' : 'heic'
  return undefined
}

/** Returns the major and the compatible brands of a HEIF file, of which all are in its first box. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [ascii(head, 8)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(ascii(head, at))
  return brands
}

function ascii(bytes: Buffer, from: number): string {
  return bytes.toString('latin1', from, from + 4)
}
