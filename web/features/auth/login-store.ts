import { useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

/** The login as the browser keeps it under the key `auth`. `expiresAt` is in milliseconds since 1970. */
export interface StoredLogin {
  readonly token: string
  readonly user: { readonly id: number; readonly username: string }
  readonly expiresAt: number
}

/**
 * Why the login changed: by the `form` or the `logout` of this tab (which then go where they want), because the server
 * `refused` its token, or in another tab (`elsewhere`).
 */
export type LoginChange = 'form' | 'logout' | 'refused' | 'elsewhere'

export interface Login {
  /** Returns the login, unless there is none or it has expired. */
  get(): StoredLogin | null
  /** Calls the listener at every change; returns how to stop. */
  subscribe(listener: (change: LoginChange) => void): () => void
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
  const { login } = useRouter().options.context
  return useSyncExternalStore(login.subscribe, login.get, login.get)
}
