import encodeQR from 'qr'

/** The quiet zone that scanners want around a code, in modules. */
const border = 4
/** Pixels a module: enough for a print of a hand's width. */
const scale = 20

/** A QR code of the text as the address of a PNG image. */
export function qrImage(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border })
  const canvas = document.createElement('canvas')
  canvas.width = modules.length * scale
  canvas.height = canvas.width
  const ink = canvas.getContext('2d')
  if (ink === null) throw new Error('The browser draws no pictures')
  ink.fillStyle = '#fff'
  ink.fillRect(0, 0, canvas.width, canvas.height)
  ink.fillStyle = '#000'
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) ink.fillRect(x * scale, y * scale, scale, scale)
    }
  }
  return canvas.toDataURL('image/png')
}
