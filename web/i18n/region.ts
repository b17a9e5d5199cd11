/** Where the site is: its country (ISO 3166), its currency (ISO 4217), its unit of distance and its first day of the week. */
export interface Region {
  readonly country: string
  readonly currency: string
  readonly distanceUnit: 'mi' | 'km'
  readonly firstDay: 'monday' | 'saturday' | 'sunday'
}

/** Used until hydration: the dehydrated state of the page has the operator's settings. */
export const defaultRegion: Region = {
  country: 'US',
  currency: 'USD',
  distanceUnit: 'mi',
  firstDay: 'sunday',
}

let readRegion = (): Region => defaultRegion

/** Sets how the region is found: on the server, of the request that it renders. */
export function readRegionWith(read: () => Region): void {
  readRegion = read
}

/** Returns where the site is. */
export function region(): Region {
  return readRegion()
}
