import { keptPhotoDays } from '#contract/constants.ts'
import type { Db, Tx } from '#server/tables.ts'
import { insertKeptPhotos, isKeptPhoto } from './kept-photo-queries.ts'

/** Keeps the files of photos for some time, also if their rows are deleted. The nightly sweep deletes them after it. */
export async function keepPhotos(tx: Tx, names: readonly string[]): Promise<void> {
  const kept_until = new Date(Date.now() + keptPhotoDays * 24 * 60 * 60 * 1000).toISOString()
  if (names.length > 0) await insertKeptPhotos(tx, [...new Set(names)], kept_until)
}

/** Returns whether the files of a photo are kept. */
export function isKept(db: Db, name: string): Promise<boolean> {
  return isKeptPhoto(db, name)
}
