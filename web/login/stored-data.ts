// Names and deletes what the browser keeps of a member. The landing page has no app, so its script gets the names from here and deletes the
// same in its own few characters (`web/routes/-bootstrap-script.ts`).

import { workerMessages } from '#web/worker/messages.ts'
import { pictureCache } from '#web/worker/picture-cache.ts'
import { pausedPushKey, pushEnded, pushKey } from './push-member.ts'

/** The key of the login in local storage, which the specification names. */
export const loginKey = 'auth'

/** The IndexedDB database of the persisted query cache (`web/api/persisted-cache.ts`). */
export const cacheDatabase = 'query-cache'

/**
 * Deletes the persisted query cache and the cached pictures, so that the next member of this browser does not see them. Replaces the
 * service worker's stored pages. The browser deletes the database once all tabs have closed it (`web/api/with-database.ts`).
 */
export function clearCachedData() {
  unlessBlocked(() => indexedDB.deleteDatabase(cacheDatabase))
  // Browsers have no caches without HTTPS.
  unlessBlocked(() => void window.caches?.delete(pictureCache).catch(() => undefined))
  // Browsers have no service workers without HTTPS.
  unlessBlocked(() => navigator.serviceWorker?.controller?.postMessage(workerMessages.storePages))
}

function unlessBlocked(remove: () => void) {
  try {
    remove()
  } catch {
    // The browser blocks this storage, so nothing was stored there.
  }
}

/** The prefix of drafts' keys in local storage (`web/features/drafts/draft-storage.ts`). */
export const draftPrefix = 'draft:'

/** The IndexedDB database of drafts' photos (`web/features/images/photo-drafts.ts`). */
export const photoDatabase = 'photo-drafts'

/** The key in local storage of the time zone that was sent last, and its member (`web/features/members/send-time-zone.ts`). */
export const timeZoneKey = 'time-zone'

/** Deletes all drafts with their photos. */
export function clearDrafts() {
  unlessBlocked(() => indexedDB.deleteDatabase(photoDatabase))
  unlessBlocked(() => {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(draftPrefix)) localStorage.removeItem(name)
  })
}

/**
 * Unsubscribes the browser from push messages unless they are for this member. For a guest, the id is undefined. Every page load calls
 * it, because an earlier page may have been closed before the browser was unsubscribed.
 */
export function unsubscribeOtherMember(memberId: number | undefined) {
  try {
    const subscriber = localStorage.getItem(pushKey)
    if (subscriber === null || subscriber === String(memberId)) return
    if (subscriber !== pushEnded) localStorage.setItem(pausedPushKey, subscriber)
    localStorage.setItem(pushKey, pushEnded)
    import('./unsubscribe-browser.ts')
      .then(({ unsubscribeBrowser }) => unsubscribeBrowser())
      .catch((error: unknown) => console.info('This browser was not unsubscribed from push messages', error))
  } catch {
    // The browser blocks storage, so nothing was stored.
  }
}
