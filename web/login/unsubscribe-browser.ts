import { pushEnded, pushKey } from './push-member.ts'

/** Unsubscribes this browser from push messages, unless a member has subscribed it since the end of the last login. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  if (localStorage.getItem(pushKey) !== pushEnded) return
  await subscription?.unsubscribe()
  localStorage.removeItem(pushKey)
}
