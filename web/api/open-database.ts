import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

interface DatabaseOptions<Schema extends DBSchema> {
  readonly name: string
  readonly version: number
  /** Creates the object stores, also of a database with an earlier version. */
  readonly upgrade: (database: IDBPDatabase<Schema>) => void
}

/** Returns a function that opens the database, and opens it again only after it was closed. */
export function databaseOpener<Schema extends DBSchema>({
  name,
  version,
  upgrade,
}: DatabaseOptions<Schema>): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  return function open() {
    opened ??= openDB<Schema>(name, version, {
      upgrade,
      // The database is being deleted, or another tab opens a newer version. Both wait until this connection is closed.
      async blocking() {
        const closing = opened
        opened = undefined
        ;(await closing)?.close()
      },
      terminated() {
        opened = undefined
      },
    }).catch((failure) => {
      opened = undefined
      throw failure
    })
    return opened
  }
}
