import { rowsOfDesk } from './desk-rows.ts'
import { rowsOfImages } from './image-rows.ts'
import { rowsOfListings } from './listing-rows.ts'
import { rowsOfMembers } from './member-rows.ts'
import type { Row } from './row.ts'
import { rowsOfTrades } from './trade-rows.ts'

/** The result of every endpoint for every role. */
export const table: readonly Row[] = [
  ...rowsOfMembers,
  ...rowsOfListings,
  ...rowsOfImages,
  ...rowsOfTrades,
  ...rowsOfDesk,
]
