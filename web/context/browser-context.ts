import { clearOnLoginChange } from '#web/api/query-client.ts'
import { createBrowserLogin } from '#web/login/browser-login.ts'
import type { AppContext } from './app-context.ts'
import { createAppContext } from './create-app-context.ts'
import type { Site } from './site.ts'

/** Used until hydration: the dehydrated state of the page has the operator's settings. */
const unknownSite: Site = { publicUrl: '', supportEmail: undefined, socialLinks: [] }

/** Creates the router's context of a browser. Call it once. */
export function createBrowserContext(): AppContext {
  const login = createBrowserLogin()
  // Looks up `fetch` at each call, because a test or a browser tool may replace it.
  const app = createAppContext({ login, fetch: (...request) => fetch(...request), site: unknownSite })
  clearOnLoginChange(app.queryClient, login)
  login.syncCookie()
  return app
}
