import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from '#server/platform/errors.ts'

export function tooLarge(): never {
  throw new AppError('too_large', errorMessages.imageTooLarge)
}

export function notAnImage(cause?: unknown): never {
  throw new AppError('unsupported_type', errorMessages.notAnImage, { cause })
}

/** Throws `too_large` for an image that can't be decoded in time. */
export function tooSlow(cause: Error): never {
  throw new AppError('too_large', errorMessages.imageTooSlow, { cause })
}
