import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { RouteResponse } from '#server/platform/http/route.ts'

/**
 * The headers of images by their audience. An image never changes. Browsers keep a public one, but shared caches don't, because it
 * may be hidden later. Others are revalidated, because the caller may log out.
 */
const headers = {
  everybody: {
    'cache-control': 'private, max-age=31536000, immutable',
    // Web mail programs show photos from another origin.
    'cross-origin-resource-policy': 'cross-origin',
  },
  caller: { 'cache-control': 'private, no-cache', 'cross-origin-resource-policy': 'same-origin' },
} as const

/** Returns the response with a stored image. Throws `not_found`. */
export async function openImage(images: Deps['images'], file: string, audience: keyof typeof headers) {
  const image = await images.open(file)
  if (!image) throw new AppError('not_found', errorMessages.notFound)
  return new RouteResponse(image.stream, {
    'content-type': image.type,
    'content-length': String(image.size),
    'content-disposition': 'inline',
    etag: `"${file}"`,
    ...headers[audience],
  })
}
