import { unsentPrefix } from '#web/features/auth/forget-seen.ts'
import { storedLogin } from '#web/features/auth/stored-login.ts'

/**
 * What a member has typed and not yet sent, kept in this browser until it is, across a reload or a lost login. Whoever logs
 * out leaves nothing behind.
 */
function keyOf(name: string): string {
  return `${unsentPrefix}${storedLogin()?.user.id ?? 'nobody'}:${name}`
}

export function readKept(name: string): string {
  try {
    return localStorage.getItem(keyOf(name)) ?? ''
  } catch {
    return ''
  }
}

/** What is more than a text; undefined where nothing is kept, or nothing that can be read. */
export function readKeptJson(name: string): unknown {
  try {
    return JSON.parse(readKept(name))
  } catch {
    return undefined
  }
}

/** Forgets what was kept when it was sent, but not what was written since. */
export function forgetSent(name: string, sent: string) {
  if (readKept(name) === sent) keep(name, '')
}

export function keep(name: string, text: string) {
  try {
    if (text === '') localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), text)
  } catch {
    // A full or forbidden storage: the text lasts as long as its screen.
  }
}
