import { t } from '@lingui/core/macro'
import type { Listing } from '#contract/listings.ts'
import { dayOf, monthOf } from '#web/ui/time.tsx'

/** Returns whether the day from which a listing is ready is still ahead. */
function isAhead(date: string, now: Date): boolean {
  return new Date(`${date}T00:00`) > now
}

/** Returns the month in which a listing is ready: "Ready in June". Undefined if it is ready. */
export function readyIn({ ready_from }: Pick<Listing, 'ready_from'>, now = new Date()): string | undefined {
  if (ready_from === null || !isAhead(ready_from, now)) return undefined
  return t`Ready in ${{ month: monthOf(ready_from, now) }}`
}

/** Returns the day from which a listing is ready: "Ready from June 12". Undefined if it is ready. */
export function readyFrom({ ready_from }: Pick<Listing, 'ready_from'>, now = new Date()): string | undefined {
  if (ready_from === null || !isAhead(ready_from, now)) return undefined
  return t`Ready from ${{ day: dayOf(`${ready_from}T00:00`, now) }}`
}
