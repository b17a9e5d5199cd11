import { expect, onTestFinished, test } from 'vitest'
import { defaultMatchRadius } from '#contract/constants.ts'
import { defaultRegion, readRegionWith } from '#web/i18n/region.ts'
import { bandText, distances, fromMiles, toMiles, withinDistance } from './distance.ts'

test('shows distances in miles', () => {
  expect(bandText({ within_miles: 5, within_km: 10 })).toBe('under 5 miles')
  expect(bandText({ within_miles: null, within_km: null })).toBeUndefined()
  expect(distances().map(withinDistance)[0]).toBe('within 5 miles')
  expect([toMiles(25), fromMiles(25)]).toEqual([25, 25])
})

test('shows distances in kilometers where the site has them, and asks the API for miles', () => {
  readRegionWith(() => ({ ...defaultRegion, country: 'DE', distanceUnit: 'km' }))
  onTestFinished(() => readRegionWith(() => defaultRegion))
  expect(bandText({ within_miles: 5, within_km: 10 })).toBe('under 10 km')
  expect(bandText({ within_miles: 100, within_km: null })).toBeUndefined()
  expect(distances().map(withinDistance)).toEqual([
    'within 5 km',
    'within 10 km',
    'within 25 km',
    'within 50 km',
    'within 100 km',
  ])
  expect(toMiles(25)).toBeCloseTo(15.534, 3)
  for (const km of distances()) expect(fromMiles(toMiles(km))).toBe(km)
  expect(withinDistance(fromMiles(defaultMatchRadius))).toBe('within 40 km')
})
