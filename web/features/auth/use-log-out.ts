import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { logOut } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/app-context.ts'

/** Logs out at once; whether the server hears of it is not waited for. */
export function useLogOut() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { login } = useAppContext()
  return async () => {
    // The call takes the token with it before the login is removed.
    const told = call(client, logOut).catch(() => undefined)
    login.remove()
    await navigate({ to: '/login' })
    await told
  }
}
