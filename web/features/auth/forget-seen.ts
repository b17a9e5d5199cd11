import { pictureCache } from '#web/worker/picture-cache.ts'

/** Where the browser keeps what a member has seen (`web/api/persisted-cache.ts`). */
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

/** The keys of drafts in local storage start with it (`web/features/drafts/draft-storage.ts`). */
export const draftPrefix = 'draft:'

/** Removes every draft: called on logout. */
export function clearDrafts() {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(draftPrefix)) localStorage.removeItem(name)
  } catch {
    // Nothing is kept where nothing may be.
  }
}
