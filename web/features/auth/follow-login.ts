import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { storedLogin, subscribeToLogin } from '#web/features/auth/stored-login.ts'

/**
 * Forgets what the former member could see, and lets the guards decide anew where this tab may be. The form and the
 * logout of this tab decide that themselves.
 */
export function followLogin(router: AnyRouter, queryClient: QueryClient) {
  let memberId = storedLogin()?.user.id
  subscribeToLogin((change) => {
    const isSameMember = storedLogin()?.user.id === memberId
    memberId = storedLogin()?.user.id
    if (isSameMember && memberId !== undefined) return
    if (memberId === undefined || change === 'form') queryClient.clear()
    else void queryClient.resetQueries()
    if (change === 'refused' || change === 'elsewhere') void router.invalidate()
  })
}
