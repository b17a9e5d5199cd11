import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { logOut } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'

/** Returns a function that logs out in the browser at once and revokes the token on the server in the background. */
export function useLogOut() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { login } = useAppContext()
  return async () => {
    // The call reads the token before the login is removed.
    const revocation = call(client, logOut).catch(() => undefined)
    login.remove()
    await navigate({ to: '/login' })
    await revocation
  }
}
