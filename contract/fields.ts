import { z } from 'zod/mini'
import { categories, limits } from './constants.ts'
import { errorMessages } from './error-messages.ts'
import { normalizeIdentifier } from './identifiers.ts'
import { msg } from './message.ts'
import { isSearchable } from './search-words.ts'

/** Matches one line of text without control characters, line breaks and lone surrogates. */
const oneLine = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u
/** Matches text that may also contain line breaks and tabs. */
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u

/** Matches embeddings, overrides and isolates (UAX #9), which can reorder the displayed characters. */
const bidiControl = /[\u202A-\u202E\u2066-\u2069]/u
/** Matches a visible character. */
const visible = /[^\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns an empty text if the text has no visible character. */
function withoutInvisible(text: string): string {
  return visible.test(text) ? text : ''
}

/** The maximum ratio of UTF-16 units before and after NFC normalization. */
const rawFactor = 3
/** Matches more combining marks in a row than the Stream-Safe Text Format allows (UAX #15). Normalizing them takes quadratic time. */
const longMarkRun = /\p{M}{31}/u

/**
 * Returns a schema that checks the raw length before the other checks and transforms. Use it for all text that is normalized. `max` is
 * in UTF-16 units.
 */
function boundedText(max: number, tooLong: string | undefined, required: string | undefined) {
  return z.string(required).check(
    z.maxLength(rawFactor * max, { error: tooLong, abort: true }),
    z.refine((text) => !longMarkRun.test(text), { error: errorMessages.controlCharacters, abort: true }),
  )
}

/** Returns a schema for one line of up to `max` UTF-16 units. Normalizes to NFC, trims and refuses unprintable characters. */
export function line(max: number, tooLong?: string, required?: string) {
  return boundedText(max, tooLong, required).check(
    z.normalize('NFC'),
    z.trim(),
    z.regex(oneLine, errorMessages.controlCharacters),
    z.refine((text) => !bidiControl.test(text), errorMessages.directionControls),
    z.overwrite(withoutInvisible),
    z.maxLength(max, tooLong),
  )
}

/** Returns a schema like `line` for text that `normalizeIdentifier` converts. */
export function identifier(max: number, tooLong?: string, required?: string) {
  return boundedText(max, tooLong, required).check(
    z.overwrite(normalizeIdentifier),
    z.regex(oneLine, errorMessages.controlCharacters),
    z.maxLength(max, tooLong),
  )
}

/** Returns a schema for a number of a query, whose digits may be those of any script. */
export function queryNumber<Schema extends z.ZodMiniNumber>(schema: Schema) {
  return z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? Number(normalizeIdentifier(value)) : value)),
    schema,
  )
}

/** Like `line` with line breaks. Converts CRLF to LF. */
export function paragraphs(max: number, tooLong?: string) {
  return boundedText(max, tooLong, undefined).check(
    z.overwrite((text) => text.replaceAll('\r\n', '\n').normalize('NFC').trim()),
    z.regex(manyLines, errorMessages.controlCharacters),
    z.refine((text) => !bidiControl.test(text), errorMessages.directionControls),
    z.overwrite(withoutInvisible),
    z.maxLength(max, tooLong),
  )
}

/** Returns a schema for a password of up to `max` UTF-16 units. Normalizes to NFC, because keyboards differ, and does not trim. */
export function secret(max: number, tooLong?: string, required?: string) {
  return boundedText(max, tooLong, required).check(
    z.normalize('NFC'),
    z.regex(oneLine, errorMessages.controlCharacters),
    z.maxLength(max, tooLong),
  )
}

const { query } = limits

const searchTooLong = msg('Please type at most {max} characters', { max: query.max })
const searchTooShort = (min: number) => msg('Please type at least {min} characters', { min })

/** Returns a schema for the words of a search, of at least `min` characters or one of Chinese, Japanese or Korean. */
export function searchWords(min: number = query.min) {
  return line(query.max, searchTooLong).check(
    z.refine((text) => isSearchable(text, min), searchTooShort(min)),
  )
}

/** Returns a schema for the searched part of a username, of at least `min` characters. */
export function searchedUsername(min: number = query.min) {
  return identifier(query.max, searchTooLong).check(z.minLength(min, searchTooShort(min)))
}

/** A positive integer or its digits. */
export const id = z.union([
  z.int().check(z.positive()),
  z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/)), z.transform(Number)),
])

/** The id that a client gives to what it sends, so that the server stores it once. */
export const clientId = z.optional(z.uuid('client_id must be a UUID'))

/** Returns a schema for one of some numbers or its digits, because forms send text. */
export function choice<const Value extends number>(values: readonly Value[], message: string) {
  return z.union(
    [
      z.literal(values),
      z.pipe(
        z.enum(values.map(String) as [string, ...string[]]),
        z.transform((text) => Number(text) as Value),
      ),
    ],
    message,
  )
}

/** Returns a schema for an amount in dollars with at most two decimals. */
export function money(message: string) {
  return z.number(message).check(z.refine((amount) => Math.round(amount * 100) / 100 === amount, message))
}

/** Returns a schema for a whole number of `limits.quantity`. */
export function amount(message: string) {
  return z
    .int(message)
    .check(z.minimum(limits.quantity.min, message), z.maximum(limits.quantity.max, message))
}

const categoryIds = Object.values(categories)

export const categoryFilter = choice(categoryIds, msg('Unknown category'))

/** Null is uncategorized. Unknown categories become null. */
export const categoryField = z.catch(z.nullable(categoryFilter), null)

/** The category of a response, null for uncategorized. */
export const categoryOrNull = z.nullable(z.literal(categoryIds))

/** A timestamp in ISO 8601, UTC, with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 })

/** Returns whether a value has fields. As the `when` of a rule, it runs the rule even if other fields are invalid. */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pageFieldsWith(defaultSize: number) {
  return {
    limit: z._default(
      queryNumber(z.number().check(z.int(), z.minimum(1), z.maximum(limits.page.max))),
      defaultSize,
    ),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  }
}

/** The query of a list in pages. */
export const pageFields = pageFieldsWith(limits.page.size)
/** The query of a list whose pages have the maximum size unless the client asks for less. */
export const longPageFields = pageFieldsWith(limits.page.max)

/** A member as lists name them. */
export const briefMember = z.object({
  id: z.int(),
  username: z.string(),
  profile_picture: z.nullable(z.string()),
})
export type BriefMember = z.output<typeof briefMember>

/** Returns a schema for the token of a link, whose form the server checks. */
export function tokenField(invalid: string) {
  return identifier(200, invalid, invalid)
}

/** A response that is one sentence for the screen. */
export const messageResponse = z.object({ message: z.string() })
