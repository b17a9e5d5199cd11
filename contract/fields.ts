import { z } from 'zod'
import { errorMessages } from './error-messages.ts'

/** Matches one line of text without control characters, line breaks and lone surrogates. */
const oneLine = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u
/** A paragraph may also hold line breaks and tabs. */
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u

/** Embeddings, overrides and isolates (UAX #9): with them a text shows other letters in another order than it has. */
const bidiControl = /[\u202A-\u202E\u2066-\u2069]/u
/** A character that can be seen. */
const visible = /[^\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns an empty text for one in which nothing can be seen. */
function withoutInvisible(text: string): string {
  return visible.test(text) ? text : ''
}

/** No character has more UTF-16 units before NFC normalization than three times those after it. */
const rawFactor = 3
/** More combining marks in a row than text in the Stream-Safe Text Format has (UAX #15). Normalization of them takes quadratic time. */
const longMarkRun = /\p{M}{31}/u

/**
 * Text that is refused by its raw length before anything else is done with it. Every schema for text that is normalized starts
 * here. `max` is in UTF-16 units.
 */
function boundedText(max: number, tooLong: string | undefined, required: string | undefined) {
  return z
    .string(required)
    .max(rawFactor * max, { error: tooLong, abort: true })
    .refine((text) => !longMarkRun.test(text), { error: errorMessages.controlCharacters, abort: true })
}

/** One line of text of at most `max` UTF-16 units: NFC, trimmed, nothing unprintable. */
export function line(max: number, tooLong?: string, required?: string) {
  return boundedText(max, tooLong, required)
    .normalize('NFC')
    .trim()
    .regex(oneLine, errorMessages.controlCharacters)
    .refine((text) => !bidiControl.test(text), errorMessages.directionControls)
    .overwrite(withoutInvisible)
    .max(max, tooLong)
}

/** Text with line breaks (CRLF becomes LF) of at most `max` UTF-16 units: NFC, trimmed, nothing unprintable. */
export function paragraphs(max: number, tooLong?: string) {
  return boundedText(max, tooLong, undefined)
    .overwrite((text) => text.replaceAll('\r\n', '\n').normalize('NFC').trim())
    .regex(manyLines, errorMessages.controlCharacters)
    .refine((text) => !bidiControl.test(text), errorMessages.directionControls)
    .overwrite(withoutInvisible)
    .max(max, tooLong)
}

/** A password of at most `max` UTF-16 units: NFC makes the same characters the same password on every keyboard; it is not trimmed. */
export function secret(max: number, tooLong?: string, required?: string) {
  return boundedText(max, tooLong, required)
    .normalize('NFC')
    .regex(oneLine, errorMessages.controlCharacters)
    .max(max, tooLong)
}

/** A row's id, as a path or a body carries it: a positive integer, or its digits. */
export const id = z.union([
  z.int().positive(),
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
])

/** One of a few numbers, also taken as digits (forms send text). */
export function choice<const Value extends number>(values: readonly Value[], message: string) {
  return z.union(
    [
      z.literal(values),
      z.enum(values.map(String) as [string, ...string[]]).transform((text) => Number(text) as Value),
    ],
    message,
  )
}

/** Dollars with at most two decimals: an amount that rounding to cents leaves as it is. */
export function money(message: string) {
  return z.number(message).refine((amount) => Math.round(amount * 100) / 100 === amount, message)
}

/** A moment as it stands on the wire: ISO 8601, UTC, milliseconds. */
export const moment = z.iso.datetime({ precision: 3 })

/** For a rule over several fields that is to speak although another field is wrong (Zod's `when`). */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
