import { hash } from 'node:crypto'
import { z } from 'zod'
import { type ListingQuery, listingMessages } from '#contract/listings.ts'
import { AppError } from '#server/platform/errors.ts'

/** The position of the last listing of a page. */
export interface Cursor {
  /** Which of the list's statements it came from: with `best` the titles or the rest, with a sort by price the sales or the rest. */
  readonly part: number
  /** Its price or, with `nearest`, its postal code; 0 where the list is sorted by id alone. */
  readonly key: number
  readonly id: number
  /** The list holds what lacks one word of the search, since nothing has them all. */
  readonly relaxed: boolean
}

/** Increase it when the meaning of a field changes. */
const version = 1

const cursorSchema = z.strictObject({
  v: z.literal(version),
  list: z.string(),
  part: z.int().min(0),
  key: z.number().min(0),
  id: z.int().positive(),
  relaxed: z.boolean(),
})

export function encodeCursor(cursor: Cursor, query: ListingQuery): string {
  const json = JSON.stringify({ v: version, list: listOf(query), ...cursor })
  return Buffer.from(json).toString('base64url')
}

/** Throws `bad_request` for what is no cursor of this list and version. */
export function decodeCursor(text: string, query: ListingQuery): Cursor {
  const { success, data } = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!success || data.list !== listOf(query))
    throw new AppError('bad_request', listingMessages.cursorUnknown)
  return data
}

/** A short hash of all that decides what a list holds and in which order. */
function listOf({ cursor: _, limit: __, ...query }: ListingQuery): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort()
  return hash('sha1', JSON.stringify(entries), 'base64url').slice(0, 8)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
