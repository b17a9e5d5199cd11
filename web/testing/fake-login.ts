import { createAtom } from '@tanstack/react-store'
import type { Login, LoginState, StoredLogin } from '#web/login/login-store.ts'

/** Returns the login of a member, in memory. `remove` ends it. */
export function fakeLogin(user: StoredLogin['user'] = { id: 1, username: 'ann' }): Login {
  const state = createAtom<LoginState>({
    login: { token: 'token', user, expiresAt: Number.POSITIVE_INFINITY },
  })
  const end = () => state.set({ login: null })
  return {
    state,
    get: () => state.get().login,
    store: (token, member) =>
      state.set({ login: { token, user: member, expiresAt: Number.POSITIVE_INFINITY } }),
    rename: () => {},
    remove: end,
    removeRefused: end,
    syncCookie: () => {},
  }
}
