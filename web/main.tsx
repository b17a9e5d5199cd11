import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '#web/api/api-error.ts'
import { createBrowserContext } from '#web/browser-context.ts'
import { revalidateOnLoginChange } from '#web/features/auth/revalidate-on-login-change.ts'
import { createAppRouter } from '#web/router.tsx'
import { markMissing } from '#web/routes/-failed-screen.tsx'
import { followFocus } from '#web/routes/-follow-focus.ts'
import './styles/base.css'

// The content security policy forbids the code that zod would compile while running. zod comes with the screens that
// need it and then reads what `z.config` would have set: it keeps its settings in this global.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const context = createBrowserContext()
const router = createAppRouter(context)
window.addEventListener('vite:preloadError', markMissing)
revalidateOnLoginChange(router, context.login)
followFocus(router)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root, { onCaughtError: report }).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)

/** Screens show why a call was refused. Any other error is a bug. */
function report(error: unknown) {
  if (!(error instanceof ApiError)) console.error(error)
}
