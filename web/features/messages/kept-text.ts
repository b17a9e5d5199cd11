import { storedLogin, subscribeToLogin } from '#web/features/auth/stored-login.ts'

/**
 * What a member has typed and not yet sent, kept in this browser until it is, across a reload or a lost login. Whoever logs
 * out leaves nothing behind.
 */
const prefix = 'unsent'

function keyOf(name: string): string {
  return `${prefix}:${storedLogin()?.user.id ?? 'nobody'}:${name}`
}

export function readKept(name: string): string {
  try {
    return localStorage.getItem(keyOf(name)) ?? ''
  } catch {
    return ''
  }
}

export function keep(name: string, text: string) {
  try {
    if (text === '') localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), text)
  } catch {
    // A full or forbidden storage: the text lasts as long as its screen.
  }
}

subscribeToLogin((change) => {
  if (change !== 'logout') return
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(`${prefix}:`)) localStorage.removeItem(key)
    }
  } catch {
    // Nothing is kept where nothing may be.
  }
})
