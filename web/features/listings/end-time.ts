import { t } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import { afterDays, relativeDay } from '#web/ui/time.tsx'

/** Returns the moment when a listing of this many days ends if it is posted now. Returns undefined if the days are not allowed. */
export function endAfter(days: number | undefined, now = Date.now()): string | undefined {
  const isAllowed =
    Number.isInteger(days) && Number(days) >= limits.days.min && Number(days) <= limits.days.max
  return isAllowed ? afterDays(Number(days), now) : undefined
}

/** Returns when a listing ends: "Ends today", "Ends in 2 days", "Ends in 3 months", "Ended yesterday". */
export function endsIn(expiresAt: string, now = Date.now()): string {
  const day = relativeDay(expiresAt, now)
  return Date.parse(expiresAt) <= now ? t`Ended ${day}` : t`Ends ${day}`
}

/** Returns when a listing ends, for the middle of a sentence: "ends in 2 days". */
export function endsInSentence(expiresAt: string, now = Date.now()): string {
  const day = relativeDay(expiresAt, now)
  return Date.parse(expiresAt) <= now ? t`ended ${day}` : t`ends ${day}`
}
