/** Where the site is: its country (ISO 3166), its currency (ISO 4217) and its unit of distance. */
export interface Region {
  readonly country: string
  readonly currency: string
  readonly distanceUnit: 'mi' | 'km'
}

/** Used until hydration: the dehydrated state of the page has the operator's settings. */
export const defaultRegion: Region = {
  country: 'US',
  currency: 'USD',
  distanceUnit: 'mi',
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
