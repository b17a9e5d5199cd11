import { sentences } from '#contract/sentences.ts'
import { AppError } from '#server/platform/errors.ts'

export function tooLarge(): never {
  throw new AppError('too_large', sentences.imageTooLarge)
}

export function notAnImage(cause?: unknown): never {
  throw new AppError('unsupported_type', sentences.notAnImage, { cause })
}
