import { pictureCache } from '#web/worker/picture-cache.ts'

/** Where the browser keeps what a member has seen (`web/api/seen.ts`). */
export const seenDatabase = 'seen'

/** Nothing that a member saw is left in the browser once they have left it. */
export function forgetSeen() {
  try {
    indexedDB.deleteDatabase(seenDatabase)
    void caches.delete(pictureCache).catch(() => undefined)
  } catch {
    // Nothing is kept where nothing may be.
  }
}

/** What a member has typed and not yet sent is kept under names that begin so (`web/features/drafts/kept-text.ts`). */
export const unsentPrefix = 'unsent:'

/** Whoever logs out leaves none of it behind, on the front page as well. */
export function forgetUnsent() {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(unsentPrefix)) localStorage.removeItem(name)
  } catch {
    // Nothing is kept where nothing may be.
  }
}
