import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, type RootOptions } from 'react-dom/client'
import { ApiError } from '#web/api/api-error.ts'
import { dropFirstAnswers } from '#web/api/first-answers.ts'
import { followLogin } from '#web/features/auth/follow-login.ts'
import { createAppRouter } from '#web/router.tsx'
import { markMissing } from '#web/routes/-failed-screen.tsx'
import { followFocus } from '#web/routes/-follow-focus.ts'
import { whenIdle } from '#web/ui/when-idle.ts'
import './styles/base.css'

// The content security policy forbids the code that zod would compile while running. zod comes with the screens that
// need it and then reads what `z.config` would have set: it keeps its settings in this global.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const router = createAppRouter()
window.addEventListener('vite:preloadError', markMissing)
followLogin(router)
followFocus(router)
const unsubscribe = router.subscribe('onRendered', () => {
  unsubscribe()
  // What the page has brought gives way: its first script sees to that.
  dispatchEvent(new Event('screen'))
  whenIdle(dropFirstAnswers)
})

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

const options: RootOptions = { onCaughtError: report }
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
)
if (!root.matches('.look')) begin(root)
else
  import('#web/look/take-over.ts')
    .then(({ takeOver }) => takeOver(root, router, app, options))
    .catch((failure: unknown) => {
      report(failure)
      // Where something did not come, the screen says so.
      begin(root)
    })

/** In place of what is there. */
function begin(root: HTMLElement) {
  createRoot(root, options).render(app)
}

/** What a call was refused for, its screen says. Anything else is a fault of ours. */
function report(error: unknown) {
  if (!(error instanceof ApiError)) console.error(error)
}
