import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { authMessages, type Credentials, credentials, logIn } from '#contract/auth.ts'
import { getSuspension } from '#contract/suspensions.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'
import { language } from '#web/i18n/i18n.ts'
import { storeLanguage } from '#web/i18n/store-language.ts'

export const loginRules = zodResolver(credentials)

/** Logs in and stores the login. Returns true if the page must be loaded again, in the language of the member. */
export async function logInWith(client: QueryClient, given: Credentials) {
  const { access_token, user } = await call(client, logIn, { body: given }).catch(replaceMessage)
  if (!access_token) throw new ApiError({ status: 200, detail: t`Invalid credentials` })
  transportOf(client).login.store(access_token, user)
  if (user.language === null || user.language === language()) return false
  storeLanguage(user.language)
  return true
}

/** Returns why and until when the account is suspended if that is why its login failed; undefined if it is not known. */
export async function suspensionOf(client: QueryClient, failure: unknown, given: Credentials) {
  if (!(failure instanceof ApiError && failure.code === 'suspended')) return undefined
  const suspension = await call(client, getSuspension, { body: given }).catch(() => undefined)
  return suspension && { suspension, credentials: given }
}

/** Rethrows a failure. A 401 gets the specified message. */
function replaceMessage(failure: unknown): never {
  const isRefusal = failure instanceof ApiError && failure.status === 401
  throw isRefusal ? new ApiError({ status: 401, detail: authMessages.incorrectLogin }) : failure
}
