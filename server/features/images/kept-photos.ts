import type { Db } from '#server/tables.ts'
import * as queries from './kept-photo-queries.ts'

/** Keeps the files of photos for a report, also if their rows are deleted. */
export const keepPhotos = queries.keepPhotos

/** Keeps the files of the photos of reports no longer. The nightly sweep deletes those that have no row. */
export const releasePhotos = queries.releasePhotos

/** Returns whether the files of a photo are kept. */
export async function isKept(db: Db, name: string): Promise<boolean> {
  return (await queries.listKeptPhotos(db, [name])).length > 0
}
