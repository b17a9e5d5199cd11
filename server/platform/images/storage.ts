import type { Readable } from 'node:stream'

/** An open file of a storage. The caller must read `stream` to its end or destroy it. */
export interface StoredFile {
  stream: Readable
  /** In bytes. */
  size: number
}

/** A storage of renditions. File names have letters, digits, `-`, `_` and a suffix, never a path. */
export interface Storage {
  /** Stores a file atomically. */
  put(file: string, bytes: Uint8Array, type: string): Promise<void>
  open(file: string): Promise<StoredFile | undefined>
  /**
   * Deletes unwanted files that were stored before a time and whose names start with `first`. Calls `listUnwanted` with some hundred at
   * a time. Returns how many were deleted.
   */
  sweep(first: string, before: Date, listUnwanted: (files: string[]) => Promise<string[]>): Promise<number>
  /** Deletes files. A missing file is no error. */
  remove(files: readonly string[]): Promise<void>
}
