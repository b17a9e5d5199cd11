import type { AnyRouter } from '@tanstack/react-router'
import { subscribeToLogin } from '#web/features/auth/stored-login.ts'

/** Lets the guards decide anew where this tab may be. Its own form and logout decide that themselves. */
export function followLogin(router: AnyRouter) {
  return subscribeToLogin((change) => {
    if (change === 'refused' || change === 'elsewhere') void router.invalidate()
  })
}
