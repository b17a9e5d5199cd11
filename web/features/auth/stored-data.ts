import { pictureCache } from '#web/worker/picture-cache.ts'

/** The IndexedDB database of the persisted query cache (`web/api/persisted-cache.ts`). */
export const cacheDatabase = 'query-cache'

/** Deletes the persisted query cache and the cached pictures on logout. */
export function clearPersistedCache() {
  try {
    indexedDB.deleteDatabase(cacheDatabase)
    void caches.delete(pictureCache).catch(() => undefined)
  } catch {
    // The browser blocks storage, so nothing was stored.
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
    // The browser blocks storage, so nothing was stored.
  }
}
