import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#web/styles/base.css'
import { Parts } from './parts.tsx'

/** Links want a router; these lead nowhere. */
const router = createRouter({
  routeTree: createRootRoute({ component: Parts, notFoundComponent: Parts }),
  history: createMemoryHistory(),
})

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
