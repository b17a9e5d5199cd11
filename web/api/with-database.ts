import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

interface DatabaseOptions<Schema extends DBSchema> {
  readonly name: string
  readonly version: number
  /** Creates the object stores, also of a database with an earlier version. */
  readonly upgrade: (database: IDBPDatabase<Schema>) => void
}

/** Opens the database for the work, and closes it then: a logout deletes it, and another tab may open a newer version. */
export async function withDatabase<Schema extends DBSchema, Result>(
  { name, version, upgrade }: DatabaseOptions<Schema>,
  work: (database: IDBPDatabase<Schema>) => Promise<Result>,
): Promise<Result> {
  const database = await openDB<Schema>(name, version, { upgrade })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
