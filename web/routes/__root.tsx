import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
})

function Root() {
  const title = useMatches({
    select: (matches) => matches.flatMap(({ meta }) => meta ?? []).findLast((tag) => tag?.title)?.title,
  })
  useEffect(() => {
    document.title = title === undefined ? 'Rhubarb' : `${title} · Rhubarb`
  }, [title])
  return <Outlet />
}
