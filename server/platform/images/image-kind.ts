/** The accepted formats by their names in libvips. AVIF and HEIC share the container `heif`. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'heif'

/** The number of bytes that `imageKind` needs from the start of a file. */
export const headLength = 12

const heifBrands = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Returns the kind of an image by its first bytes, or undefined if it is not supported. */
export function imageKind(head: Buffer): ImageKind | undefined {
  if (head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg'
  if (head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png'
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'webp'
  if (ascii(head, 4, 8) === 'ftyp' && heifBrands.has(ascii(head, 8, 12))) return 'heif'
  return undefined
}

function ascii(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}
