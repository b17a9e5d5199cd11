import type { AnyRouter } from '@tanstack/react-router'
import type { Login } from './login-store.ts'

/** Runs the guards again when the login ended or changed elsewhere. The forms of this tab navigate themselves. */
export function revalidateOnLoginChange(router: AnyRouter, login: Login) {
  let memberId = login.state.get().login?.user.id
  login.state.subscribe(({ login, change }) => {
    const before = memberId
    memberId = login?.user.id
    const isOtherMember = before !== undefined && memberId !== undefined && memberId !== before
    // The screens have the texts that the previous member has typed.
    if (change === 'elsewhere' && isOtherMember) location.reload()
    else if (change === 'refused' || change === 'elsewhere') void router.invalidate()
  })
}
