import { createAtom } from '@tanstack/react-store'
import { loginLifetimeMs } from '#contract/constants.ts'
import {
  isStoredLogin,
  type Login,
  type LoginChange,
  type LoginState,
  type StoredLogin,
} from './login-store.ts'
import {
  clearCachedData,
  clearDrafts,
  loginKey as key,
  timeZoneKey,
  unsubscribeOtherMember,
} from './stored-data.ts'

/** Fired when another tab changes the login, and when a page is restored from the back/forward cache. */
const changeEvents = ['storage', 'pageshow'] as const

/** Creates the login of this browser: the record `auth` in local storage, with a cookie for server rendering. */
export function createBrowserLogin(): Login {
  const { state, get, replace } = createLoginState()

  return {
    state,
    get,
    store(token, { id, username }) {
      const login = { token, user: { id, username }, expiresAt: Date.now() + loginLifetimeMs }
      write(login)
      replace(login, 'form')
    },
    rename(username) {
      const { login } = state.get()
      if (login === null) return
      const renamed = { ...login, user: { ...login.user, username } }
      write(renamed)
      state.set({ login: renamed, change: 'rename' })
    },
    remove() {
      removeRecord()
      clearDrafts()
      replace(null, 'logout')
    },
    removeRefused(token) {
      if (state.get().login?.token !== token) return
      removeRecord()
      replace(null, 'refused')
    },
    syncCookie() {
      const login = get()
      if (login === null || !hasCookie(login)) writeCookie(login)
    },
  }
}

/** Reads the login, and again when another tab changes it or it has expired. */
function createLoginState() {
  // Holds the login also where the browser blocks local storage.
  const state = createAtom<LoginState>({ login: read() })
  for (const event of changeEvents) addEventListener(event, readAgain)
  unsubscribeOtherMember(get()?.user.id)

  function get() {
    const { login } = state.get()
    if (login === null || login.expiresAt > Date.now()) return login
    // Later, because rendering may ask for the login.
    queueMicrotask(() => endExpired(login))
    return null
  }

  function endExpired(expired: StoredLogin) {
    if (state.get().login !== expired) return
    // Removes the expired record. Another tab may have stored a new one.
    const login = read()
    replace(login, login === null ? 'refused' : 'elsewhere')
  }

  function readAgain(event: StorageEvent | PageTransitionEvent) {
    if ('key' in event ? event.key !== key && event.key !== null : !event.persisted) return
    const login = read()
    if (login?.token === state.get().login?.token) state.set({ login, change: 'rename' })
    else replace(login, 'elsewhere')
  }

  /** Replaces the login. Deletes the cached data of the previous member and ends their push messages. */
  function replace(login: StoredLogin | null, change: LoginChange) {
    clearCachedData()
    unsubscribeOtherMember(login?.user.id)
    const { login: before, endedMember } = state.get()
    const isEnded = login === null && change !== 'logout'
    state.set({ login, change, endedMember: isEnded ? (before?.user.id ?? endedMember) : undefined })
  }

  return { state, get, replace }
}

function removeRecord() {
  try {
    localStorage.removeItem(key)
    localStorage.removeItem(timeZoneKey)
  } catch {
    // The browser blocks local storage, so it holds no record.
  }
  writeCookie(null)
}

/** Reads the login from local storage. Removes a damaged or expired record. */
function read(): StoredLogin | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    const record = parse(text)
    if (isStoredLogin(record)) return record
    localStorage.removeItem(key)
    writeCookie(null)
    clearCachedData()
    return null
  } catch {
    return null
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function write(login: StoredLogin) {
  try {
    localStorage.setItem(key, JSON.stringify(login))
  } catch {
    // Local storage is full or blocked: the login lasts as long as this tab.
    return
  }
  writeCookie(login)
}

/** Sets the cookie by which the server renders a member's page and serves photos. No other call reads it. It expires with the login. */
function writeCookie(login: StoredLogin | null) {
  try {
    const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
    const seconds = login === null ? 0 : Math.ceil((login.expiresAt - Date.now()) / 1000)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later, and a logout must not wait for it.
    document.cookie = `${prefix}login=${login?.token ?? ''}; Path=/; SameSite=Strict; Max-Age=${seconds}${secure}`
  } catch {
    // Without the cookie the page renders in the browser.
  }
}

function hasCookie({ token }: StoredLogin): boolean {
  try {
    return document.cookie.includes(`login=${token}`)
  } catch {
    // Cookies may be forbidden.
    return false
  }
}
