import type { Query } from '@tanstack/react-query'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { queryClient } from '#web/api/query-client.ts'
import { seenDatabase } from '#web/features/auth/forget-seen.ts'
import { storedLogin } from '#web/features/auth/stored-login.ts'

/** An answer as a member last saw it. `at` is when it came, in milliseconds since 1970. */
interface Seen {
  readonly hash: string
  readonly member: number
  readonly at: number
  readonly data: unknown
}

interface SeenSchema extends DBSchema {
  answers: { key: string; value: Seen; indexes: { at: number } }
}

/** To be raised when a screen would stumble over what an earlier version kept: that is dropped then. */
const version = 1
const most = 400
const longestMs = 30 * 24 * 60 * 60_000
/** Many answers come with one screen. */
const restMs = 400

let opened: Promise<IDBPDatabase<SeenSchema>> | undefined

function open() {
  opened ??= openDB<SeenSchema>(seenDatabase, version, {
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

/** What the member of this login saw last, where the browser keeps it. */
export async function recall(hash: string): Promise<Seen | undefined> {
  try {
    const seen = await (await open()).get('answers', hash)
    const isMine = seen !== undefined && seen.member === storedLogin()?.user.id
    return isMine && seen.at > Date.now() - longestMs ? seen : undefined
  } catch {
    // A browser may forbid it, in a private window for one.
    return undefined
  }
}

/** From now on what the member sees is kept, so that it can be read without a network. Returns how to stop. */
export function keepSeen(): () => void {
  const member = storedLogin()?.user.id
  const fresh = new Map<string, Query>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function keepSoon(query: Query) {
    fresh.set(query.queryHash, query)
    timer ??= setTimeout(keepNow, restMs)
  }

  function keepNow() {
    clearTimeout(timer)
    timer = undefined
    const queries = [...fresh.values()]
    fresh.clear()
    if (queries.length > 0)
      keep(queries).catch((failure) => console.info('What was seen is not kept:', failure))
  }

  async function keep(queries: readonly Query[]) {
    const database = await open()
    // Between here and the writing nobody else runs: who has left meanwhile leaves nothing.
    if (member === undefined || storedLogin()?.user.id !== member) return
    const { store, done } = database.transaction('answers', 'readwrite')
    for (const { queryHash: hash, state } of queries) {
      if (state.data !== undefined && state.dataUpdatedAt > 0)
        void store.put({ hash, member, at: state.dataUpdatedAt, data: state.data })
    }
    let spare = (await store.count()) - most
    for (let old = await store.index('at').openCursor(); old && spare > 0; old = await old.continue()) {
      void old.delete()
      spare -= 1
    }
    await done
  }

  for (const query of queryClient.getQueryCache().getAll()) keepSoon(query)
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success' || event.action.type === 'setState') keepSoon(event.query)
  })
  // A phone may end a page that is put aside.
  document.addEventListener('visibilitychange', keepNow)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', keepNow)
    clearTimeout(timer)
  }
}
