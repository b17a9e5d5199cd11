// The login is in local storage, which a navigation does not send. So the server renders the page of the cookie's member, and these functions
// compare it with the stored login before anything is shown. Their source texts are written into the pages: they get all that they use as
// arguments, and no other script has to come first.

import { isStoredLogin, type StoredLogin } from '#web/login/login-store.ts'
import { cacheDatabase, draftPrefix, loginKey, photoDatabase } from '#web/login/stored-data.ts'
import { themeKey } from '#web/ui/theme.ts'
import { workerMessages } from '#web/worker/messages.ts'

/** Returns the script in the head of a page that the server renders for this member, or for a guest. */
export function bootstrapScript(member: number | undefined, scripts: readonly string[]): string {
  return call(bootstrap, member ?? null, scripts, loginKey, themeKey, isStoredLogin)
}

/** Returns the only script of the landing page. */
export function landingScript(): string {
  return call(
    bootstrapLanding,
    loginKey,
    themeKey,
    draftPrefix,
    [cacheDatabase, photoDatabase],
    workerMessages.logOut,
  )
}

function call<Parameters extends unknown[]>(
  script: (...args: Parameters) => void,
  ...args: NoInfer<Parameters>
): string {
  return `(${script})(${args.map((arg) => (typeof arg === 'function' ? arg : JSON.stringify(arg))).join()})`
}

/**
 * Local storage decides who is logged in; the cookie only mirrors it. If the page was rendered for another member than the
 * stored login's, or the login is gone or expired, this stops the page, corrects the cookie and reloads the page.
 *
 * Loads the scripts after the first paint, which their evaluation would delay, and starts them when the document is complete.
 */
function bootstrap(
  member: number | null,
  scripts: readonly string[],
  loginKey: string,
  themeKey: string,
  isLogin: typeof isStoredLogin,
) {
  const { documentElement, defaultView: window } = document
  // The content security policy forbids the code that zod would compile while running. zod reads this global when it loads.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
  // Until the page is hydrated, links work and controls wait. No form is ever sent by the browser itself.
  documentElement.toggleAttribute('data-hydrating', true)
  addEventListener('submit', (event) => event.preventDefault())
  // Going back changes the address before the page is hydrated. React would then hydrate this screen as another.
  const { pathname, search } = location
  addEventListener('popstate', () => {
    const isOther = location.pathname !== pathname || location.search !== search
    if (!isOther || !documentElement.hasAttribute('data-hydrating')) return
    documentElement.toggleAttribute('data-reloading', true)
    location.reload()
  })
  let login: StoredLogin | null = null
  try {
    // Another tab may choose a theme.
    const showTheme = () => {
      documentElement.dataset.theme = localStorage.getItem(themeKey) ?? ''
    }
    showTheme()
    addEventListener('storage', showTheme)
    const record: unknown = JSON.parse(localStorage.getItem(loginKey) ?? 'null')
    if (isLogin(record)) login = record
  } catch {
    // There is no record, or it can't be read.
  }
  documentElement.toggleAttribute('data-login', login !== null)
  if (member === null || login?.user.id === member) {
    const [entry = ''] = scripts
    // The browser logs a script that does not come.
    const start = () => import(/* @vite-ignore */ entry).catch(() => undefined)
    const load = () => {
      for (const href of scripts)
        document.head.append(
          Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }),
        )
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
      else start()
    }
    documentElement.dataset.version = entry
    const painted = new Promise((resolve) => {
      new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
      // The browser paints nothing of a page without content.
      addEventListener('DOMContentLoaded', () => {
        if (document.querySelector('main') === null) resolve(null)
      })
    })
    void (document.hidden ? load() : painted.then(load))
    return
  }
  documentElement.hidden = true
  window?.stop()
  const isSecure = location.protocol === 'https:'
  const seconds = login === null ? 0 : Math.ceil((login.expiresAt - Date.now()) / 1000)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later
  document.cookie = `${isSecure ? '__Host-' : ''}login=${login?.token ?? ''}; Path=/; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  location.reload()
}

/**
 * Shows the landing page's links for visitors or for members, in the chosen theme, and logs out there without the app, with all that
 * `web/login/stored-data.ts` clears.
 */
function bootstrapLanding(
  loginKey: string,
  themeKey: string,
  draftPrefix: string,
  databases: readonly string[],
  logOutMessage: string,
) {
  const { documentElement } = document
  /** Shows the theme, and returns the token. Checks the record in fewer characters than `isStoredLogin`, because the page's scripts are at most 1 kB. */
  const read = () => {
    try {
      documentElement.dataset.theme = localStorage.getItem(themeKey) ?? ''
      const { token, user, expiresAt } = JSON.parse(localStorage.getItem(loginKey) ?? '')
      if (user.id && expiresAt > Date.now()) return token
    } catch {
      // There is no record, or it can't be read.
    }
  }
  const show = () => documentElement.toggleAttribute('data-login', Boolean(read()))
  show()
  for (const event of ['storage', 'pageshow']) addEventListener(event, show)
  addEventListener('click', ({ target }) => {
    // Only elements are clicked.
    const button = (target as Element).closest('[data-logout]')
    if (!button) return
    const token = read()
    for (const name of Object.keys(localStorage))
      if (name === loginKey || name.startsWith(draftPrefix)) localStorage.removeItem(name)
    // The second name is that of HTTPS.
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later
    for (const name of ['login=', '__Host-login=;Secure']) document.cookie = `${name};Path=/;Max-Age=0`
    for (const database of databases) indexedDB.deleteDatabase(database)
    navigator.serviceWorker?.ready
      .then(({ active, pushManager }) => {
        active?.postMessage(logOutMessage)
        return pushManager?.getSubscription()
      })
      .then((subscription) => subscription?.unsubscribe())
    show()
    button.closest('nav,div')?.querySelector<HTMLElement>('[href="/login"]')?.focus()
    if (token)
      fetch('/api/auth/logout', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        keepalive: true,
      }).catch(() => {})
  })
}
