import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ListingQuery } from '#contract/listing-queries.ts'
import { listingMessages } from '#contract/listings.ts'
import { AppError } from '#server/platform/errors.ts'

/** The position of the last listing of a page. */
export interface Cursor {
  /** The index of its part of the list: titles and others for `best`, sales and others for sorts by price. */
  readonly part: number
  /** Its price or, with `nearest`, its postal code; 0 if the list is sorted by id only. */
  readonly key: number
  readonly id: number
  /** True if the list has listings that lack one word of the search, because none has all. */
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

/** Returns the text of a cursor, which is valid only for the list of this query. */
export function encodeCursor(cursor: Cursor, query: ListingQuery): string {
  const json = JSON.stringify({ v: version, list: listHashOf(query), ...cursor })
  return Buffer.from(json).toString('base64url')
}

/** Throws `bad_request` unless it is a cursor of this list and version. */
export function decodeCursor(text: string, query: ListingQuery): Cursor {
  const { success, data } = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!success || data.list !== listHashOf(query))
    throw new AppError('bad_request', listingMessages.cursorUnknown)
  return data
}

/** Returns a short hash of the filters and the sort. */
function listHashOf({ cursor: _, limit: __, ...query }: ListingQuery): string {
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
