import { plural, t } from '@lingui/core/macro'
import { distanceBands, distanceBandsKm, milesPerKm } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { formatNumber } from '#web/i18n/formats.ts'
import { region } from '#web/i18n/region.ts'

const inKm = () => region().distanceUnit === 'km'

/** Returns the band of a distance in the site's unit: "under 5 miles". Undefined if the distance is unknown or above the widest band. */
export function bandText({
  within_miles: miles,
  within_km: km,
}: Pick<Listing, 'within_miles' | 'within_km'>): string | undefined {
  if (inKm()) return km === null ? undefined : t`under ${{ km: formatNumber(km) }} km`
  return miles === null ? undefined : plural(miles, { one: 'under # mile', other: 'under # miles' })
}

/** Returns the distances to choose, in the site's unit. */
export function distances(): readonly number[] {
  return inKm() ? distanceBandsKm : distanceBands
}

/** Returns a distance to choose, in the site's unit: "within 5 miles". */
export function withinDistance(distance: number): string {
  if (inKm()) return t`within ${{ km: formatNumber(distance) }} km`
  return withinMiles(distance)
}

function withinMiles(miles: number): string {
  return plural(miles, { one: 'within # mile', other: 'within # miles' })
}

/** Returns a distance in miles, as the API has it. */
export function toMiles(distance: number): number {
  return inKm() ? distance * milesPerKm : distance
}

/** Returns a distance of the API in the site's unit. Kilometres are rounded: those that members choose are whole. */
export function fromMiles(miles: number): number {
  return inKm() ? Math.round(miles / milesPerKm) : miles
}
