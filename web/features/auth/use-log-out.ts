import { useNavigate } from '@tanstack/react-router'
import { logOut } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { removeLogin } from '#web/features/auth/stored-login.ts'

/** Logs out at once; whether the server hears of it is not waited for. */
export function useLogOut() {
  const navigate = useNavigate()
  return async () => {
    // The call takes the token with it before the login is removed.
    const told = call(logOut).catch(() => undefined)
    removeLogin()
    await navigate({ to: '/login' })
    await told
  }
}
