import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { authMessages, type Credentials, credentials, logIn } from '#contract/auth.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'

export const loginRules = zodResolver(credentials)

/** Logs in and stores the login. */
export async function logInWith(client: QueryClient, given: Credentials) {
  const { access_token, user } = await call(client, logIn, { body: given }).catch(replaceMessage)
  if (!access_token) throw new ApiError({ status: 200, detail: t`Invalid credentials` })
  transportOf(client).login.store(access_token, user)
}

/** Rethrows a failure. A 401 gets the specified message. */
function replaceMessage(failure: unknown): never {
  const isRefusal = failure instanceof ApiError && failure.status === 401
  throw isRefusal ? new ApiError({ status: 401, detail: authMessages.incorrectLogin }) : failure
}
