import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { Answer } from '#server/platform/http/route.ts'

/** Returns the response with a stored image. Throws `not_found`. */
export async function openImage(images: Deps['images'], file: string, caching: string) {
  const image = await images.open(file)
  if (!image) throw new AppError('not_found', errorMessages.notFound)
  return new Answer(image.stream, {
    'content-type': image.type,
    'content-length': String(image.size),
    'cache-control': caching,
    'content-disposition': 'inline',
    // Web mail programs show photos from another origin.
    'cross-origin-resource-policy': 'cross-origin',
  })
}
