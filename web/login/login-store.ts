import { useHydrated, useRouter } from '@tanstack/react-router'
import { type Readable, useSelector } from '@tanstack/react-store'

/** The login as local storage has it under the key `auth`. `expiresAt` is in milliseconds since 1970. */
export interface StoredLogin {
  readonly token: string
  readonly user: { readonly id: number; readonly username: string }
  readonly expiresAt: number
}

/**
 * Returns whether a record of local storage is a login that has not expired. The source text of this function is written into
 * pages (`web/routes/-bootstrap-script.ts`), so it uses nothing from outside.
 */
export function isStoredLogin(record: unknown): record is StoredLogin {
  const { token, expiresAt, user } = Object(record)
  return (
    typeof token === 'string' &&
    typeof expiresAt === 'number' &&
    expiresAt > Date.now() &&
    typeof user?.id === 'number' &&
    typeof user.username === 'string'
  )
}

/**
 * The cause of the last change: a `form` or the `logout` of this tab (both navigate themselves), a token that the server
 * `refused`, or another tab (`elsewhere`). A `rename` changes the member's name only.
 */
export type LoginChange = 'form' | 'logout' | 'refused' | 'elsewhere' | 'rename'

export interface LoginState {
  /** It may be expired. Use `Login.get`. */
  readonly login: StoredLogin | null
  /** The last change. */
  readonly change?: LoginChange
  /** The member whose login has ended without a logout of this tab. Their screens are still shown until the guards have run. */
  readonly endedMember?: number | undefined
}

export interface Login {
  readonly state: Readable<LoginState>
  /** Returns the login. Returns null if there is none, or if it has expired, which ends it. */
  get(): StoredLogin | null
  store(token: string, user: StoredLogin['user']): void
  /** Stores the member's new name. The expiry stays. */
  rename(username: string): void
  /** Removes the login and all drafts. */
  remove(): void
  /** Removes the login whose token the server refused, unless another one has replaced it since. */
  removeRefused(token: string | undefined): void
  /** Sets the cookie where the browser has lost it, or removes it when there is no login. */
  syncCookie(): void
}

/**
 * Returns the id of the member whose screens are shown. Unlike `Login.get`, it still is the member's in the moment between the end of the
 * login and the next screen, so that nothing that is typed then is lost or stored for somebody else.
 */
export function shownMemberId(login: Login): number | undefined {
  const { login: stored, endedMember } = login.state.get()
  return stored?.user.id ?? endedMember
}

/** Returns the login, or null if there is none or it has expired. A change of the login renders again. */
export function useStoredLogin(): StoredLogin | null {
  const { login } = useSelector(useRouter().options.context.login.state)
  return login !== null && login.expiresAt > Date.now() ? login : null
}

/**
 * Returns whether a member is logged in, on pages for everybody. False until the page is hydrated: the server knows a member by the cookie
 * only, which may be missing.
 */
export function useIsMember(): boolean {
  const isHydrated = useHydrated()
  return useStoredLogin() !== null && isHydrated
}
