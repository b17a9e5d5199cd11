import { type Login, shownMemberId } from '#web/login/login-store.ts'
import { draftPrefix } from '#web/login/stored-data.ts'

/** Returns the key of a member's draft in local storage. A logout removes all drafts (`clearDrafts`). Throws for a guest. */
function storageKey(login: Login, key: string): string {
  const member = shownMemberId(login)
  if (member === undefined) throw new Error('Only members have drafts')
  return `${draftPrefix}${member}:${key}`
}

/** Returns the stored draft. Returns undefined if there is none, or if `read` does for the stored value. */
export function readDraft<Value>(
  login: Login,
  key: string,
  read: (stored: unknown) => Value | undefined,
): Value | undefined {
  try {
    return read(JSON.parse(readDraftText(login, key) ?? ''))
  } catch {
    return undefined
  }
}

/** Reads a draft that is one text. */
export function readText(stored: unknown): string | undefined {
  return typeof stored === 'string' ? stored : undefined
}

/** Stores a draft. `undefined` removes it. */
export function saveDraft(login: Login, key: string, value: unknown) {
  try {
    if (value === undefined) localStorage.removeItem(storageKey(login, key))
    else localStorage.setItem(storageKey(login, key), JSON.stringify(value))
  } catch {
    // Local storage is full or blocked, or the member has logged out: the text lasts as long as its screen.
  }
}

/** Returns the stored JSON of a draft, to find out whether it has changed. */
export function readDraftText(login: Login, key: string): string | null {
  try {
    return localStorage.getItem(storageKey(login, key))
  } catch {
    return null
  }
}

/** Returns a function that removes the draft unless it has changed since this call. */
export function clearLater(login: Login, key: string): () => void {
  const submitted = readDraftText(login, key)
  return () => {
    if (readDraftText(login, key) === submitted) saveDraft(login, key, undefined)
  }
}
