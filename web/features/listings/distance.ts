import { plural } from '@lingui/core/macro'

/** Returns the band of a distance: "under 5 miles". */
export function underMiles(miles: number): string {
  return plural(miles, { one: 'under # mile', other: 'under # miles' })
}

/** Returns a distance to choose: "within 5 miles". */
export function withinMiles(miles: number): string {
  return plural(miles, { one: 'within # mile', other: 'within # miles' })
}
