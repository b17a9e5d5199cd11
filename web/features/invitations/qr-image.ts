import encodeQR from 'qr'

/** The quiet zone around the code, in modules. */
const border = 4
/** Pixels per module, enough for a print of 10 cm. */
const scale = 20

/** Returns a QR code of the text as the `data:` URL of a PNG image. */
export function drawQrCode(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border })
  const canvas = document.createElement('canvas')
  canvas.width = modules.length * scale
  canvas.height = canvas.width
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser has no 2d canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) context.fillRect(x * scale, y * scale, scale, scale)
    }
  }
  return canvas.toDataURL('image/png')
}
