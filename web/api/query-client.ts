import { notifyManager, QueryClient, type QueryPersister } from '@tanstack/react-query'
import { ApiError } from '#web/api/api-error.ts'
import { storedLogin, subscribeToLogin } from '#web/features/auth/stored-login.ts'

/** Asks the server. Where nobody answers and nothing is known, it is what the member saw last, with its age. */
const askOrRecall: QueryPersister = async (ask, context, query) => {
  try {
    return await ask(context)
  } catch (failure) {
    if (query.state.data !== undefined || !isOffline(failure)) throw failure
    const seen = await import('#web/api/seen.ts')
      .then(({ recall }) => recall(query.queryHash))
      .catch(() => undefined)
    if (seen === undefined) throw failure
    notifyManager.schedule(() => query.setState({ dataUpdatedAt: seen.at }))
    return seen.data
  }
}

function isOffline(failure: unknown) {
  return failure instanceof ApiError && failure.kind === 'offline'
}

/** What a screen's loader, or the page itself, has asked a moment ago is not asked again when the screen stands. */
export const justAskedMs = 2000

/**
 * What the server has answered. Only code that is loaded with a route imports it, a route's loader included, so that
 * the screens for guests do without it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A screen visited twice within half a minute shows what is there and asks nobody.
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
      // A call without a network fails and says so; a paused one would show its skeleton for good.
      networkMode: 'always',
      refetchOnReconnect: true,
      persister: askOrRecall,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Whether asking again may help: nobody answered, or the server is in trouble. A refusal stays a refusal. */
function mayPass(error: Error) {
  return error instanceof ApiError && (error.kind === 'offline' || error.status >= 500)
}

let memberId = storedLogin()?.user.id

/** Nobody sees what another member on the same device has seen. */
subscribeToLogin(() => {
  const before = memberId
  memberId = storedLogin()?.user.id
  if (memberId === before) return
  if (memberId === undefined) queryClient.clear()
  else void queryClient.resetQueries()
})
