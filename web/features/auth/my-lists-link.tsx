import { useStoredLogin } from '#web/login/login-store.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Leads a member to My lists, and a guest to the login, which leads there. */
export function MyListsLink() {
  const login = useStoredLogin()
  return (
    <ButtonLink to={login === null ? '/login' : '/my-listings'} wide>
      {login === null ? 'Login' : 'My lists'}
    </ButtonLink>
  )
}
