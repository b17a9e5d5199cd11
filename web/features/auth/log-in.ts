import { zodResolver } from '@hookform/resolvers/zod'
import type { QueryClient } from '@tanstack/react-query'
import { authMessages, type Credentials, credentials, logIn } from '#contract/auth.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'

export const loginRules = zodResolver(credentials)

/** Logs in and stores the login. Returns false if the response has no token. */
export async function logInWith(client: QueryClient, given: Credentials): Promise<boolean> {
  const { access_token, user } = await call(client, logIn, { body: given }).catch(replaceMessage)
  if (!access_token) return false
  transportOf(client).login.store(access_token, user)
  return true
}

/** Rethrows a failure. A 401 gets the specified message. */
function replaceMessage(failure: unknown): never {
  const isRefusal = failure instanceof ApiError && failure.status === 401
  throw isRefusal ? new ApiError({ status: 401, detail: authMessages.incorrectLogin }) : failure
}
