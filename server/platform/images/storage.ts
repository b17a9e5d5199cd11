import type { Readable } from 'node:stream'

/** A file as it lies in a storage. Whoever opens it reads `stream` to its end or destroys it. */
export interface StoredFile {
  stream: Readable
  /** In bytes. */
  size: number
}

/** Where renditions lie. File names are ours: letters, digits, `-`, `_` and a suffix, never a path. */
export interface Storage {
  /** Stores the whole file or nothing; a reader never sees a part of it. */
  put(file: string, bytes: Uint8Array, type: string): Promise<void>
  open(file: string): Promise<StoredFile | undefined>
  /**
   * Removes files that were stored before a moment and are not wanted any more, of those whose names begin with a character.
   * Asks for some hundred at a time. Returns how many went.
   */
  sweep(first: string, before: Date, listUnwanted: (files: string[]) => Promise<string[]>): Promise<number>
  /** Removes what is there; a file that is not there is no error. */
  remove(files: readonly string[]): Promise<void>
}
