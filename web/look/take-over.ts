import type { AnyRouter } from '@tanstack/react-router'
import { type ReactNode, startTransition } from 'react'
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client'
import { queryClient } from '#web/api/query-client.ts'

/**
 * Lets the app answer in the first look that the page has brought. It is drawn once more of the same answers, a little at a time,
 * and found to be there. Where they lead elsewhere by now, such as without a login, the app begins as on any page.
 */
export async function takeOver(root: HTMLElement, router: AnyRouter, app: ReactNode, options: RootOptions) {
  const { pathname } = location
  // Where the server has drawn, the router expects no more boundaries than there.
  router.ssr = { manifest: undefined }
  await router.load()
  while (queryClient.isFetching() > 0) await nextTask()
  const { location: reached, matches } = router.state
  if (reached.pathname === pathname && matches.every(({ status }) => status === 'success'))
    return startTransition(() => {
      hydrateRoot(root, app, options)
    })
  createRoot(root, options).render(app)
}

function nextTask() {
  return new Promise((resolve) => setTimeout(resolve))
}
