import { useRouter } from '@tanstack/react-router'
import { type Readable, useSelector } from '@tanstack/react-store'

/** The login as the browser keeps it under the key `auth`. `expiresAt` is in milliseconds since 1970. */
export interface StoredLogin {
  readonly token: string
  readonly user: { readonly id: number; readonly username: string }
  readonly expiresAt: number
}

/**
 * Why the login changed: by the `form` or the `logout` of this tab (which then go where they want), because the server
 * `refused` its token, or in another tab (`elsewhere`). `rename` is the same login with the member's new name.
 */
export type LoginChange = 'form' | 'logout' | 'refused' | 'elsewhere' | 'rename'

export interface LoginState {
  /** It may have expired. `Login.get` checks that. */
  readonly login: StoredLogin | null
  /** The last change. */
  readonly change?: LoginChange
}

export interface Login {
  readonly state: Readable<LoginState>
  /** Returns the login, unless there is none or it has expired. */
  get(): StoredLogin | null
  store(token: string, user: StoredLogin['user']): void
  /** Stores the member's new name; the login ends when it would have. */
  rename(username: string): void
  /** Removes the login, and with it every draft. */
  remove(): void
  /** Removes the login that a call was refused with, unless another one has taken its place meanwhile. */
  removeRefused(token: string | undefined): void
  /** Sets the cookie where the browser has lost it, or removes it when there is no login. */
  mirror(): void
}

export function useStoredLogin(): StoredLogin | null {
  const { login } = useSelector(useRouter().options.context.login.state)
  return login !== null && login.expiresAt > Date.now() ? login : null
}
