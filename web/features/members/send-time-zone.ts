import { updatePreferences } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { timeZoneKey } from '#web/login/stored-data.ts'

/** Sends the browser's time zone for the times in mails, unless it is the one that was sent last for this member. */
export async function sendTimeZone({ queryClient, login }: Pick<AppContext, 'queryClient' | 'login'>) {
  const member = login.get()?.user.id
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const sent = `${member} ${time_zone}`
  try {
    if (member === undefined || localStorage.getItem(timeZoneKey) === sent) return
    await call(queryClient, updatePreferences, { body: { time_zone } })
    if (login.get()?.user.id === member) localStorage.setItem(timeZoneKey, sent)
  } catch {
    // Local storage is blocked, or the call failed. The next page load sends it.
  }
}
