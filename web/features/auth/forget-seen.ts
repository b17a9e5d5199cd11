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
