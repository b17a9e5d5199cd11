import type { QueryClient } from '@tanstack/react-query'
import { updatePreferences } from '#contract/profile.ts'
import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import type { Login } from '#web/login/login-store.ts'
import { pausedPushKey, pushKey, pushLoginKey } from '#web/login/push-member.ts'
import { unsubscribeOtherMember } from '#web/login/stored-data.ts'
import { registerWorker } from './register-worker.ts'

/** The key of the query of this browser's state. */
export const pushStateKey = ['push'] as const

export type PushState = 'unsupported' | 'denied' | 'on' | 'off'

/** Returns whether this browser gets push messages for the member who is logged in. */
export async function pushState(client: QueryClient): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return isForMe(transportOf(client).login) && (await currentSubscription()) !== null ? 'on' : 'off'
}

/** Subscribes the browser again after a login of the member whose pushes ended with an earlier login. */
export async function resumePush(client: QueryClient): Promise<void> {
  const login = transportOf(client).login.get()
  if (login === null || !isSupported() || Notification.permission !== 'granted') return
  const isSubscriber = [pushKey, pausedPushKey].some((key) => stored(key) === String(login.user.id))
  if (!isSubscriber || stored(pushLoginKey) === String(login.expiresAt)) return
  client.setQueryData(pushStateKey, await startPush(client))
}

/** Requests the permission and subscribes the browser. */
export async function startPush(client: QueryClient): Promise<PushState> {
  const { login } = transportOf(client)
  const member = login.get()
  if ((await Notification.requestPermission()) !== 'granted') return pushState(client)
  await registerWorker()
  const worker = await navigator.serviceWorker.ready
  const { key: applicationServerKey } = await call(client, getPushKey)
  // A subscription with a previous key of the server does not work.
  await (await worker.pushManager.getSubscription())?.unsubscribe()
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  try {
    await registerSubscription(client, subscription)
    localStorage.setItem(pushKey, String(member?.user.id))
    localStorage.setItem(pushLoginKey, String(member?.expiresAt))
    localStorage.removeItem(pausedPushKey)
    unsubscribeOtherMember(login.get()?.user.id)
  } catch (failure) {
    await subscription.unsubscribe()
    throw failure
  }
  return pushState(client)
}

/** Unsubscribes the browser. It gets no messages from then on, even if the server can not be reached. */
export async function stopPush(client: QueryClient): Promise<PushState> {
  localStorage.removeItem(pushKey)
  localStorage.removeItem(pausedPushKey)
  const subscription = await currentSubscription()
  await subscription?.unsubscribe()
  if (subscription)
    await call(client, unsubscribeFromPush, { body: { endpoint: subscription.endpoint } }).catch((failure) =>
      console.info('The server removes the push subscription when it sends the next message:', failure),
    )
  return pushState(client)
}

/** Sends the subscription to the server, with the time zone for the quiet hours. */
async function registerSubscription(client: QueryClient, subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) throw new Error("The browser's subscription is incomplete")
  await call(client, subscribeToPush, { body: { endpoint, keys: { p256dh, auth } } })
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  client.setQueryData(
    preferencesQuery.queryKey,
    await call(client, updatePreferences, { body: { time_zone } }),
  )
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const worker = isSupported() ? await navigator.serviceWorker.getRegistration('/') : undefined
  return worker?.pushManager.getSubscription() ?? null
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

function isForMe(login: Login): boolean {
  return stored(pushKey) === String(login.get()?.user.id)
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser blocks storage, so nothing was stored.
    return null
  }
}
