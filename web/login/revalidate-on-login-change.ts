import type { AnyRouter } from '@tanstack/react-router'
import { isHydrating, reloadPage } from '#web/ui/hydrated.ts'
import type { Login } from './login-store.ts'

/** Runs the guards again when the login ended or changed elsewhere. The forms of this tab navigate themselves. */
export function revalidateOnLoginChange(router: AnyRouter, login: Login) {
  let memberId = login.state.get().login?.user.id
  login.state.subscribe(({ login, change }) => {
    const before = memberId
    memberId = login?.user.id
    const isOtherMember = before !== undefined && memberId !== undefined && memberId !== before
    if (change !== 'refused' && change !== 'elsewhere') return
    // The screens have the texts that the previous member has typed. A screen that is not hydrated can not become another one.
    if (isHydrating() || (change === 'elsewhere' && isOtherMember)) reloadPage()
    else void router.invalidate()
  })
}
