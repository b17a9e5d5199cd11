import type { AnyRouter } from '@tanstack/react-router'
import { type ReactNode, startTransition } from 'react'
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client'
import { queryClient } from '#web/api/query-client.ts'

/** The page has brought what is asked first. Where something else is asked as well, nobody waits longer for it. */
const patienceMs = 1000

/**
 * Lets the app answer in the first look that the page has brought. It is drawn once more of the same answers, a little at a time,
 * and found to be there. Whoever has gone back or has no login by now is elsewhere: there the app begins as on any page.
 */
export async function takeOver(root: HTMLElement, router: AnyRouter, app: ReactNode, options: RootOptions) {
  const { path } = root.dataset
  const isThere = () => location.pathname === path
  if (isThere()) await router.load()
  const since = performance.now()
  while (isAsking() && performance.now() - since < patienceMs) await nextTask()
  const { location: reached, matches } = router.state
  const isWhole = !isAsking() && matches.every(({ status }) => status === 'success')
  if (!isThere() || reached.pathname !== path || !isWhole) {
    createRoot(root, options).render(app)
    return
  }
  // Where the server has drawn, the router draws no more boundaries than there.
  router.ssr = { manifest: undefined }
  const onRecoverableError = (error: unknown) => {
    if (isThere()) reportError(error)
  }
  startTransition(() => {
    hydrateRoot(root, app, { ...options, onRecoverableError })
  })
}

function isAsking() {
  return queryClient.isFetching() > 0
}

function nextTask() {
  return new Promise((resolve) => setTimeout(resolve))
}
