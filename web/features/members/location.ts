import { t } from '@lingui/core/macro'
import type { Profile } from '#contract/auth.ts'
import type { PublicMember } from '#contract/members.ts'
import { region } from '#web/i18n/region.ts'

type Location = Pick<PublicMember, 'city' | 'state' | 'zip_code'>

/** Returns 'city, state', or the part that is known. */
export function cityAndState({ city, state }: Omit<Location, 'zip_code'>): string {
  return joined(', ', city, state)
}

/** Returns 'city, state zip', or the parts that are known. */
export function fullLocation({ city, state, zip_code }: Location): string {
  return joined(', ', city, joined(' ', state, zip_code))
}

/** Returns what of the member's place is not known. Undefined if the place is known, or if there is too little of it. */
export function placeProblem(me: Profile): string | undefined {
  if (me.location_known) return undefined
  // Only the postal code locates members in the US. In other countries the town does, too.
  if (region().country === 'US')
    return me.zip_code ? t`We do not know the postal code ${{ code: me.zip_code }}.` : undefined
  const place = fullLocation(me)
  return place ? t`We do not know the place ${{ place }}.` : undefined
}

function joined(separator: string, ...parts: (string | null)[]): string {
  return parts.filter(Boolean).join(separator)
}
