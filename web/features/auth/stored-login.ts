import { useSyncExternalStore } from 'react'
import { loginLifetimeMs } from '#contract/constants.ts'
import { clearDrafts, forgetSeen } from './forget-seen.ts'

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

const key = 'auth'
const listeners = new Set<(change: LoginChange) => void>()

/** What this tab knows; undefined until it has looked. It also serves where the storage may not be used. */
let known: StoredLogin | null | undefined

/** The login, unless there is none or it has expired. */
export function storedLogin(): StoredLogin | null {
  if (known === undefined) known = read()
  if (known !== null && known.expiresAt <= Date.now()) {
    forget()
    forgetSeen()
  }
  return known
}

export function useStoredLogin(): StoredLogin | null {
  return useSyncExternalStore(subscribeToLogin, storedLogin, storedLogin)
}

export function storeLogin(token: string, user: StoredLogin['user']) {
  known = { token, user: { id: user.id, username: user.username }, expiresAt: Date.now() + loginLifetimeMs }
  keep(known)
  notify('form')
}

/** Keeps the member's new name; the login ends when it would have. */
export function renameLogin(username: string) {
  if (!known) return
  known = { ...known, user: { ...known.user, username } }
  keep(known)
}

export function removeLogin() {
  forget()
  clearDrafts()
  notify('logout')
}

/** Removes the login that a call was refused with, unless another one has taken its place meanwhile. */
export function removeRefusedLogin(token: string | undefined) {
  if (storedLogin()?.token !== token) return
  forget()
  notify('refused')
}

/** Mends the cookie where the browser has lost it, or keeps it without a login. */
export function mirrorLogin() {
  const login = storedLogin()
  if (login === null || !document.cookie.includes(`login=${login.token}`)) mirror(login)
}

export function subscribeToLogin(listener: (change: LoginChange) => void) {
  if (listeners.size === 0) for (const event of changes) addEventListener(event, readAgain)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) for (const event of changes) removeEventListener(event, readAgain)
  }
}

/** Another tab changed it; or a page that was left comes back as it was, having heard of nothing meanwhile. */
const changes = ['storage', 'pageshow'] as const

function readAgain(event: StorageEvent | PageTransitionEvent) {
  if ('key' in event ? event.key !== key && event.key !== null : !event.persisted) return
  const before = known
  known = read()
  if (known?.token !== before?.token) notify('elsewhere')
}

/** Whoever is logged in now, what was seen before is not theirs. */
function notify(change: LoginChange) {
  forgetSeen()
  for (const listener of listeners) listener(change)
}

/** A damaged or expired record is removed. */
function read(): StoredLogin | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    const record = parse(text)
    if (record !== null && record.expiresAt > Date.now()) return record
    localStorage.removeItem(key)
    mirror(null)
    forgetSeen()
    return null
  } catch {
    return null
  }
}

function parse(text: string): StoredLogin | null {
  try {
    const record: unknown = JSON.parse(text)
    return isStoredLogin(record) ? record : null
  } catch {
    return null
  }
}

function isStoredLogin(record: unknown): record is StoredLogin {
  if (!isObject(record) || !isObject(record.user)) return false
  return (
    typeof record.token === 'string' &&
    typeof record.expiresAt === 'number' &&
    typeof record.user.id === 'number' &&
    typeof record.user.username === 'string'
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function keep(login: StoredLogin) {
  try {
    localStorage.setItem(key, JSON.stringify(login))
  } catch {
    // A full or forbidden storage: the login lasts as long as this tab.
    return
  }
  mirror(login)
}

function forget() {
  known = null
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing is stored where nothing may be.
  }
  mirror(null)
}

/**
 * Whoever opens a page can say nothing but a cookie: by it the page comes with what its member sees first. It lives as long as
 * the stored login, and the API never reads it.
 */
function mirror(login: StoredLogin | null) {
  try {
    const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
    const seconds = login === null ? 0 : Math.ceil((login.expiresAt - Date.now()) / 1000)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later, and a logout must not wait for it.
    document.cookie = `${prefix}login=${login?.token ?? ''}; Path=/; SameSite=Strict; Max-Age=${seconds}${secure}`
  } catch {
    // Then the page comes without.
  }
}
