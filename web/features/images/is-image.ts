/** The first bytes of a picture. `..` is any byte. */
const signatures = [
  ['ff d8 ff'], // JPEG
  ['89 50 4e 47 0d 0a 1a 0a'], // PNG
  ['47 49 46 38'], // GIF
  ['42 4d'], // BMP
  ['52 49 46 46 .. .. .. .. 57 45 42 50'], // WebP
].map(([bytes = '']) =>
  bytes.split(' ').map((byte) => (byte === '..' ? undefined : Number.parseInt(byte, 16))),
)

/** The brands of AVIF and HEIC in the box `ftyp` at the start of a file. */
const brands = ['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/**
 * Returns whether the file is a picture by its first bytes: its name and the type that the system gives it may be wrong. SVG is not one,
 * because it may hold scripts.
 */
export async function isImage(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(
    await file
      .slice(0, 16)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  )
  const text = String.fromCharCode(...bytes)
  return (
    signatures.some((signature) => signature.every((byte, at) => byte === undefined || byte === bytes[at])) ||
    (text.slice(4, 8) === 'ftyp' && brands.includes(text.slice(8, 12)))
  )
}
