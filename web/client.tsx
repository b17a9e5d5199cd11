// Hydrates the page. Start's own `<StartClient>` has no place for three steps: the catalogs of the language load before hydration, the
// scripts of `web/page-scripts.ts` are left out of the page, and the guards run again if the login of local storage is not the page's.

import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { hydrate } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { ApiError } from '#web/api/api-error.ts'
import { loadCatalogs } from '#web/i18n/i18n.ts'
import { revalidateOnLoginChange } from '#web/login/revalidate-on-login-change.ts'
import { takeScripts } from '#web/page-scripts.ts'
import { getRouter } from '#web/router.tsx'
import { isImportError, replaceImportError } from '#web/routes/-failed-screen.tsx'
import { focusAfterNavigation } from '#web/routes/-focus-after-navigation.ts'
import { restoreLists } from '#web/routes/-restore-lists.ts'
import { leaveReloadedDialogEntry } from '#web/ui/dialog-entry.ts'
import { hydrated, isReloading, reloadPage } from '#web/ui/hydrated.ts'
import { painted } from '#web/ui/painted.ts'

window.addEventListener('vite:preloadError', replaceImportError)
leaveReloadedDialogEntry()
void hydratePage()

/** Not at the top level: the scripts of screens import this one, and an import waits for a top-level `await`. */
async function hydratePage() {
  const router = getRouter()
  // Start's own `hydrateStart` also loads the client of server functions. Rhubarb has no server functions.
  const { member } = document.documentElement.dataset
  await Promise.all([hydrate(router), loadCatalogs(member !== undefined)])
  takeScripts(router)
  window.$_TSR?.h()
  // The bootstrap script is reloading the page, because the address has changed to another screen's. Do not hydrate it.
  if (isReloading()) return
  const { login, queryClient } = router.options.context
  const isPageOfLogin = login.get()?.user.id.toString() === member
  // The member has logged out in another tab since the bootstrap script compared the logins.
  if (member !== undefined && !isPageOfLogin) return reloadPage()
  paintBeforeLoading(router)
  revalidateOnLoginChange(router, login)
  focusAfterNavigation(router)
  restoreLists(router, queryClient)
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
      { onCaughtError: report, onRecoverableError },
    )
  })
  // Without the cookie the server rendered a guest's page. Run the guards again with the login of local storage.
  if (!isPageOfLogin) void router.invalidate()
}

/**
 * Updates the address at once and paints the tapped link as current before the router loads the screen. A router has no hook for that:
 * its events do not wait, and `beforeLoad` runs after its stores have changed, which a page must not see before it is hydrated.
 */
function paintBeforeLoading(router: AnyRouter) {
  const { load } = router
  router.load = async (options) => {
    if (options?.action !== undefined) {
      router.updateLatestLocation()
      await hydrated()
      await painted()
    }
    return load(options)
  }
}

/** Logs bugs. Screens show the API's errors, and scripts that do not come, which Firefox also aborts when the page is left. */
function report(error: unknown) {
  if (isReloading()) return
  if (!(error instanceof ApiError) && !isImportError(error)) console.error(error)
}

/** React's message for a Suspense boundary that the server left to the browser because its data was late or refused. */
const leftToBrowser = /#419|could not finish this Suspense boundary/

function onRecoverableError(error: unknown) {
  if (isReloading() || isImportError(error)) return
  if (!(error instanceof Error && leftToBrowser.test(error.message))) reportError(error)
}
