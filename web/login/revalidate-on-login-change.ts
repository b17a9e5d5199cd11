import type { AnyRouter } from '@tanstack/react-router'
import type { Login } from './login-store.ts'

/** Runs the guards again when the login ended or changed elsewhere. The forms of this tab navigate themselves. */
export function revalidateOnLoginChange(router: AnyRouter, login: Login) {
  login.state.subscribe(({ change }) => {
    if (change === 'refused' || change === 'elsewhere') void router.invalidate()
  })
}
