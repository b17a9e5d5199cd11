import { z } from 'zod'
import { sentences } from './sentences.ts'

/** What a line of text may not hold: control characters (NUL among them), line breaks, and halves of characters. */
export const oneLine = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u
/** A paragraph may also hold line breaks and tabs. */
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u

/** One line of text: NFC, trimmed, nothing unprintable. Add `.min()` and `.max()` for its limits. */
export function line(required?: string) {
  return z.string(required).normalize('NFC').trim().regex(oneLine, sentences.controlCharacters)
}

/** Text with line breaks (CRLF becomes LF): NFC, trimmed, nothing unprintable. */
export function paragraphs() {
  return z
    .string()
    .overwrite((text) => text.replaceAll('\r\n', '\n').normalize('NFC').trim())
    .regex(manyLines, sentences.controlCharacters)
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
