import { updatePreferences } from '#contract/profile.ts'
import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts'
import { call } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import { storedLogin, subscribeToLogin } from '#web/features/auth/stored-login.ts'
import { preferencesQuery } from '#web/features/profile/preferences-query.ts'
import { registerWorker } from './register-worker.ts'

export type PushState = 'unsupported' | 'denied' | 'on' | 'off'

/** Under this key the browser keeps who is told in it: whoever logs in next has not asked for that. */
const key = 'push'

export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return isForMe() && (await subscribed()) !== null ? 'on' : 'off'
}

/** Asks for the permission, where it is not given yet. */
export async function startPush(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState()
  await registerWorker()
  const worker = await navigator.serviceWorker.ready
  const { key: applicationServerKey } = await call(getPushKey)
  // One that was made with another key of the server's is of no use.
  await (await worker.pushManager.getSubscription())?.unsubscribe()
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  try {
    await tellServer(subscription)
    localStorage.setItem(key, String(storedLogin()?.user.id))
  } catch (failure) {
    await subscription.unsubscribe()
    throw failure
  }
  return 'on'
}

export async function stopPush(): Promise<PushState> {
  localStorage.removeItem(key)
  const subscription = await subscribed()
  await subscription?.unsubscribe()
  // The push service knows it no more; the server learns that at the latest when it next wants to tell something.
  if (subscription) await call(unsubscribeFromPush, { body: { endpoint: subscription.endpoint } })
  return pushState()
}

/** While a member is logged in: nobody is told in this browser once they have left it. Returns how to stop. */
export function followPush(): () => void {
  if (!isForMe()) void leave()
  return subscribeToLogin(() => {
    if (!isForMe()) void leave()
  })
}

/** Without a login only the browser can be told. */
async function leave() {
  try {
    if (localStorage.getItem(key) === null) return
    localStorage.removeItem(key)
    await (await subscribed())?.unsubscribe()
  } catch (failure) {
    console.info('Still told in this browser', failure)
  }
}

/** With it goes what time it is here, so that nobody is woken at night. */
async function tellServer(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) throw new Error('The browser made no whole subscription')
  await call(subscribeToPush, { body: { endpoint, keys: { p256dh, auth } } })
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  queryClient.setQueryData(preferencesQuery.queryKey, await call(updatePreferences, { body: { time_zone } }))
}

async function subscribed(): Promise<PushSubscription | null> {
  const worker = isSupported() ? await navigator.serviceWorker.getRegistration('/') : undefined
  return worker?.pushManager.getSubscription() ?? null
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

function isForMe(): boolean {
  try {
    return localStorage.getItem(key) === String(storedLogin()?.user.id)
  } catch {
    // Nothing is kept where nothing may be.
    return false
  }
}
