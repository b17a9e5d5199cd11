import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/api/api-error.ts'

export function newQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A screen visited twice within half a minute shows what is there and asks nobody.
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && mayPass(error),
        // A call without a network fails and says so; a paused one would show its skeleton for good.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** Whether asking again may help: nobody answered, or the server is in trouble. A refusal stays a refusal. */
function mayPass(error: Error) {
  return error instanceof ApiError && (error.kind === 'offline' || error.status >= 500)
}
