import { defaultSiteName } from '#contract/constants.ts'
import { clearOnLoginChange } from '#web/api/query-client.ts'
import { defaultRegion } from '#web/i18n/region.ts'
import { createBrowserLogin } from '#web/login/browser-login.ts'
import type { AppContext } from './app-context.ts'
import { createAppContext } from './create-app-context.ts'
import type { Site } from './site.ts'

/** Used until hydration: the dehydrated state of the page has the operator's settings. */
const unknownSite: Site = {
  name: defaultSiteName,
  sentence: '',
  logo: null,
  banner: undefined,
  registration: 'open',
  publicUrl: '',
  supportEmail: undefined,
  region: defaultRegion,
  socialLinks: [],
}

/** The time limit of a response. */
const responseTimeoutMs = 30_000

/** Creates the router's context of a browser. Call it once. */
export function createBrowserContext(): AppContext {
  const login = createBrowserLogin()
  const app = createAppContext({ login, fetch: fetchInTime, site: unknownSite })
  clearOnLoginChange(app.queryClient, login)
  login.syncCookie()
  return app
}

/** Fetches with a time limit. Not for the server, where the timer would keep the rendered page in memory. */
const fetchInTime: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(responseTimeoutMs)
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout })
}
