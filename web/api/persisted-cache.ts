import type { Query, QueryClient } from '@tanstack/react-query'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Login } from '#web/features/auth/login-store.ts'
import { cacheDatabase } from '#web/features/auth/stored-data.ts'

/** An answer as a member last saw it. `at` is when it came, in milliseconds since 1970. */
interface PersistedQuery {
  readonly hash: string
  readonly member: number
  readonly at: number
  readonly data: unknown
}

interface Schema extends DBSchema {
  answers: { key: string; value: PersistedQuery; indexes: { at: number } }
}

/** To be raised when a screen would stumble over what an earlier version kept: that is dropped then. */
const version = 1
const maxQueries = 400
const maxAgeMs = 30 * 24 * 60 * 60_000
/** Many answers come with one screen. */
const writeDelayMs = 400

export interface PersistedCache {
  /** Returns what the member of this login saw last, where the browser keeps it. */
  restore(hash: string): Promise<PersistedQuery | undefined>
  /** Persists what the client fetches from now on, so that it can be read without a network. Returns how to stop. */
  persist(client: QueryClient): () => void
}

/** Persists the query cache in IndexedDB. */
export function createPersistedCache(login: Login): PersistedCache {
  let opened: Promise<IDBPDatabase<Schema>> | undefined

  function open() {
    opened ??= openDB<Schema>(cacheDatabase, version, {
      upgrade(database) {
        for (const name of database.objectStoreNames) database.deleteObjectStore(name)
        database.createObjectStore('answers', { keyPath: 'hash' }).createIndex('at', 'at')
      },
      // It is being deleted, or another tab has a newer version: neither waits for this one.
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

  async function restore(hash: string) {
    try {
      const kept = await (await open()).get('answers', hash)
      const isMine = kept !== undefined && kept.member === login.get()?.user.id
      return isMine && kept.at > Date.now() - maxAgeMs ? kept : undefined
    } catch {
      // A browser may forbid it, in a private window for one.
      return undefined
    }
  }

  function persist(client: QueryClient) {
    const member = login.get()?.user.id
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
        write(queries).catch((failure) => console.info('The query cache was not persisted:', failure))
    }

    async function write(queries: readonly Query[]) {
      const database = await open()
      // No other code runs between this check and the transaction: who has logged out meanwhile leaves nothing.
      if (member === undefined || login.get()?.user.id !== member) return
      const { store, done } = database.transaction('answers', 'readwrite')
      for (const { queryHash: hash, state } of queries) {
        if (state.data !== undefined && state.dataUpdatedAt > 0)
          void store.put({ hash, member, at: state.dataUpdatedAt, data: state.data })
      }
      let spare = (await store.count()) - maxQueries
      for (let old = await store.index('at').openCursor(); old && spare > 0; old = await old.continue()) {
        void old.delete()
        spare -= 1
      }
      await done
    }

    for (const query of client.getQueryCache().getAll()) schedule(query)
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      if (event.action.type === 'success' || event.action.type === 'setState') schedule(event.query)
    })
    // A phone may end a page that is put aside.
    document.addEventListener('visibilitychange', flush)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', flush)
      clearTimeout(timer)
    }
  }

  return { restore, persist }
}
