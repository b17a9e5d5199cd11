/** Returns whether the file is an image by its type. Some systems know no type for HEIC and AVIF, so the name counts. */
export function isImage({ type, name }: File) {
  if (type === 'image/svg+xml') return false
  return type.startsWith('image/') || (type === '' && /\.(?:heic|heif|avif)$/i.test(name))
}
