import {
  hashKey,
  notifyManager,
  QueryClient,
  type QueryKey,
  type QueryPersister,
} from '@tanstack/react-query'
import { ApiError, isOffline } from '#web/api/api-error.ts'
import type { OnlineStatus } from '#web/api/online-status.ts'
import type { Login } from '#web/login/login-store.ts'

/** The dependencies of a call: fetch, the login and the online status. */
export interface Transport {
  readonly fetch: typeof fetch
  readonly login: Login
  readonly onlineStatus: OnlineStatus
}

/** The query client of a browser, or of one request on the server, with the transport of its calls. */
export class ApiClient extends QueryClient {
  readonly transport: Transport
  /** True while the router loads a screen on Back (`web/routes/-restore-lists.ts`). */
  isReturning = false

  constructor(transport: Transport) {
    super({
      defaultOptions: {
        queries: {
          // A screen that is visited twice within half a minute shows the cached data.
          staleTime: 30_000,
          retry: (failures, error) => failures < 2 && isTemporary(error),
          // A call without a network fails. A paused one would show its skeleton forever.
          networkMode: 'always',
          refetchOnReconnect: true,
          persister: fetchOrRestore(transport.login),
        },
        mutations: { networkMode: 'always' },
      },
    })
    this.transport = transport
  }
}

/** Returns the transport of a client that is an ApiClient, as the one in the router's context is. */
export function transportOf(client: QueryClient): Transport {
  if (client instanceof ApiClient) return client.transport
  throw new TypeError('The query client is not an ApiClient')
}

/** A query that the loader fetched within this time is not fetched again when the screen mounts. */
export const justFetchedMs = 2000

/** Fetches the query. If the server does not answer and nothing is cached, restores the persisted data with its age. */
function fetchOrRestore(login: Login): QueryPersister {
  return async (queryFn, context, query) => {
    try {
      return await queryFn(context)
    } catch (failure) {
      if (query.state.data !== undefined || !isOffline(failure)) throw failure
      const restored = await restore(login, query.queryHash)
      if (restored === undefined) throw failure
      notifyManager.schedule(() => query.setState({ dataUpdatedAt: restored.at }))
      return restored.data
    }
  }
}

/** Reads the persisted data of a query. */
function restore(login: Login, hash: string) {
  return import('#web/api/persisted-cache.ts')
    .then(({ createPersistedCache }) => createPersistedCache(login).restore(hash))
    .catch(() => undefined)
}

/**
 * Restores the persisted data of a query on Back, with its age. Returns undefined if there is nothing to wait for: the query is
 * cached, or the member goes to a new screen, which should not show old data.
 */
export function restoreReturned(client: QueryClient, queryKey: QueryKey): Promise<void> | undefined {
  if (!(client instanceof ApiClient) || !client.isReturning) return
  if (client.getQueryData(queryKey) !== undefined) return
  return restore(client.transport.login, hashKey(queryKey)).then((restored) => {
    if (restored && client.getQueryData(queryKey) === undefined)
      client.setQueryData(queryKey, restored.data, { updatedAt: restored.at })
  })
}

/** Returns whether a retry may help: the server did not answer, or answered with 5xx. */
function isTemporary(error: Error) {
  return isOffline(error) || (error instanceof ApiError && error.status >= 500)
}

/** Clears the cache when another member logs in on the same device, or nobody is logged in. */
export function clearOnLoginChange(client: QueryClient, login: Login) {
  let memberId = login.get()?.user.id
  login.state.subscribe(() => {
    const before = memberId
    memberId = login.get()?.user.id
    if (memberId === before) return
    if (memberId === undefined) client.clear()
    else void client.resetQueries()
  })
}
