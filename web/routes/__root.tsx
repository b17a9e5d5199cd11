import { createRootRouteWithContext, Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { AppContext } from '#web/app-context.ts'
import { useKnownTitle } from '#web/ui/tab-title.ts'
import { FailedPage } from './-failed-screen.tsx'

export const Route = createRootRouteWithContext<AppContext>()({
  component: Root,
  errorComponent: FailedPage,
})

function Root() {
  const ofRoute = useMatches({
    select: (matches) => matches.flatMap(({ meta }) => meta ?? []).findLast((tag) => tag?.title)?.title,
  })
  const title = useKnownTitle() ?? ofRoute
  useEffect(() => {
    document.title = title === undefined ? 'Rhubarb' : `${title} · Rhubarb`
  }, [title])
  return <Outlet />
}
