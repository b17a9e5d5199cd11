import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { hydrateStart } from '@tanstack/react-start/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { ApiError } from '#web/api/api-error.ts'
import { revalidateOnLoginChange } from '#web/features/auth/revalidate-on-login-change.ts'
import { markMissing } from '#web/routes/-failed-screen.tsx'
import { focusAfterNavigation } from '#web/routes/-focus-after-navigation.ts'
import { hydrated } from '#web/ui/hydrated.ts'
import { painted } from '#web/ui/painted.ts'

window.addEventListener('vite:preloadError', markMissing)
const router = await hydrateStart()
const { login } = router.options.context
paintBeforeLoading(router)
revalidateOnLoginChange(router, login)
focusAfterNavigation(router)
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
    { onCaughtError: report, onRecoverableError },
  )
})
// A guest's page of a member whose cookie is gone: the guards run again, with the record of local storage.
if (login.get() !== null && document.documentElement.dataset.member === undefined) void router.invalidate()

/** A screen is much to make: the address changes at once, and what a tap marks by it is painted first. */
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

/** Screens show why a call was refused. Any other error is a bug. */
function report(error: unknown) {
  if (!(error instanceof ApiError)) console.error(error)
}

/** React's code for a part of a screen that the server left to the browser, because its data was late or refused. */
const leftToBrowser = /#419|could not finish this Suspense boundary/

function onRecoverableError(error: unknown) {
  if (!(error instanceof Error && leftToBrowser.test(error.message))) reportError(error)
}
