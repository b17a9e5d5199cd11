import type { z } from 'zod'
import { draftPrefix } from '#web/features/auth/forget-seen.ts'
import { storedLogin } from '#web/features/auth/stored-login.ts'

/** Drafts are kept per member in local storage. A logout removes them all (`clearDrafts`). */
function storageKey(key: string): string {
  return `${draftPrefix}${storedLogin()?.user.id ?? 'guest'}:${key}`
}

/** Returns the stored draft. Returns undefined if there is none, or if it does not match the schema. */
export function readDraft<Value>(key: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(readText(key) ?? '')).data
  } catch {
    return undefined
  }
}

/** Stores a draft. `undefined` removes it. */
export function saveDraft(key: string, value: unknown) {
  try {
    if (value === undefined) localStorage.removeItem(storageKey(key))
    else localStorage.setItem(storageKey(key), JSON.stringify(value))
  } catch {
    // The storage is full or forbidden: the text lasts as long as its screen.
  }
}

/** Returns the stored text, for comparison only. */
export function readText(key: string): string | null {
  try {
    return localStorage.getItem(storageKey(key))
  } catch {
    return null
  }
}

/** Returns a function that removes the draft if it is still the one of now: what was typed later stays. */
export function clearLater(key: string): () => void {
  const submitted = readText(key)
  return () => {
    if (readText(key) === submitted) saveDraft(key, undefined)
  }
}
