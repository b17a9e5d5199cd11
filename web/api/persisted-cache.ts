import type { Query, QueryClient } from '@tanstack/react-query'
import type { DBSchema, IDBPDatabase } from 'idb'
import { withDatabase } from '#web/api/with-database.ts'
import type { Login } from '#web/login/login-store.ts'
import { cacheDatabase } from '#web/login/stored-data.ts'

/** The last data of a member's query. `at` is the time of the response in milliseconds since 1970. */
interface PersistedQuery {
  readonly hash: string
  readonly member: number
  readonly at: number
  readonly data: unknown
}

interface Schema extends DBSchema {
  queries: { key: string; value: PersistedQuery; indexes: { at: number } }
}

const database = {
  name: cacheDatabase,
  /** Raise it when screens can not read data that an earlier version stored: the upgrade deletes all data. */
  version: 4,
  upgrade(database: IDBPDatabase<Schema>) {
    for (const name of database.objectStoreNames) database.deleteObjectStore(name)
    database.createObjectStore('queries', { keyPath: 'hash' }).createIndex('at', 'at')
  },
}
const maxQueries = 400
const maxAgeMs = 30 * 24 * 60 * 60_000
/** Collects the responses of a screen in one write. */
const writeDelayMs = 400

/** Persists the query cache in IndexedDB. */
export function createPersistedCache(login: Login) {
  return {
    /** Returns the stored query if it belongs to the member who is logged in and is not too old. */
    async restore(hash: string): Promise<PersistedQuery | undefined> {
      try {
        const stored = await withDatabase(database, (opened) => opened.get('queries', hash))
        const isOwn = stored !== undefined && stored.member === login.get()?.user.id
        return isOwn && stored.at > Date.now() - maxAgeMs ? stored : undefined
      } catch {
        // The browser may block IndexedDB, for example in a private window.
        return undefined
      }
    },
    /** Deletes the stored queries whose data a screen must not show any more. */
    async remove(isStale: (data: unknown) => boolean): Promise<void> {
      await withDatabase(database, async (opened) => {
        const { store, done } = opened.transaction('queries', 'readwrite')
        for (let row = await store.openCursor(); row; row = await row.continue())
          if (isStale(row.value.data)) void row.delete()
        await done
      }).catch(() => {
        // The browser may block IndexedDB, for example in a private window.
      })
    },
    /** Persists the client's queries from now on, so that they can be read offline. Returns a function that stops it. */
    persist(client: QueryClient): () => void {
      const member = login.get()?.user.id
      return onChangedQueries(client, (queries) =>
        withDatabase(database, async (opened) => {
          // There is no await between this check and the transaction, so no data is written after a logout.
          if (member !== undefined && login.get()?.user.id === member) await write(opened, member, queries)
        }),
      )
    },
  }
}

/** Passes all cached queries to `save`, and later the changed ones. Returns a function that stops it. */
function onChangedQueries(
  client: QueryClient,
  save: (queries: readonly Query[]) => Promise<void>,
): () => void {
  const changed = new Map<string, Query>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function schedule(query: Query) {
    changed.set(query.queryHash, query)
    timer ??= setTimeout(flush, writeDelayMs)
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const queries = [...changed.values()]
    changed.clear()
    if (queries.length > 0)
      save(queries).catch((failure) => console.info('The query cache was not persisted:', failure))
  }

  for (const query of client.getQueryCache().getAll()) schedule(query)
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success' || event.action.type === 'setState') schedule(event.query)
  })
  // A phone may discard a hidden page.
  document.addEventListener('visibilitychange', flush)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', flush)
    clearTimeout(timer)
  }
}

/** Writes the data of the queries, and deletes the oldest above the maximum. */
async function write(database: IDBPDatabase<Schema>, member: number, queries: readonly Query[]) {
  const { store, done } = database.transaction('queries', 'readwrite')
  for (const { queryHash: hash, state } of queries) {
    if (state.data !== undefined && state.dataUpdatedAt > 0)
      void store.put({ hash, member, at: state.dataUpdatedAt, data: state.data })
  }
  let excess = (await store.count()) - maxQueries
  for (let old = await store.index('at').openCursor(); old && excess > 0; old = await old.continue()) {
    void old.delete()
    excess -= 1
  }
  await done
}
