/**
 * Returns whether the file is an image by its type. Some systems give HEIC and AVIF no type, then its extension counts. SVG is
 * refused, because it may hold scripts.
 */
export function isImage({ type, name }: File) {
  if (type === 'image/svg+xml') return false
  return type.startsWith('image/') || (type === '' && /\.(?:heic|heif|avif)$/i.test(name))
}
