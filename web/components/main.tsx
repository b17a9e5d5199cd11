import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { AppContext } from '#web/context/app-context.ts'
import { createBrowserContext } from '#web/context/browser-context.ts'
import '#web/styles/base.css'
import { Components } from './components.tsx'

/** Links need a router. Every address shows the gallery. */
const router = createRouter({
  routeTree: createRootRouteWithContext<AppContext>()({
    component: Components,
    notFoundComponent: Components,
  }),
  context: createBrowserContext(),
  history: createMemoryHistory(),
})

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
