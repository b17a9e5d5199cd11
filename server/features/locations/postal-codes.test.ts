import { expect, test } from 'vitest'
import {
  allPostalCodes,
  bandsBetween,
  byDistance,
  milesBetween,
  nearestPostalCodes,
  postalCodeId,
  postalCodesWithin,
  unknownLocation,
} from './postal-codes.ts'

const portland = 97214

const milesBand = (one: number, other: number) => bandsBetween(one, other).within_miles

test.each([
  ['97214', portland],
  ['97214-1234', portland],
  [' 97214 ', portland],
  ['972141234', portland],
  ['02134', 2134],
  ['00601', 601],
  ['85288', 85288],
  ['00000', unknownLocation],
  ['9721', unknownLocation],
  ['972145', unknownLocation],
  ['97214-12', unknownLocation],
  ['SW1A 1AA', unknownLocation],
  ['x97214', unknownLocation],
  ['', unknownLocation],
  [null, unknownLocation],
])('the id of the postal code %j is %j', (postcode, code) => {
  expect(postalCodeId(postcode)).toBe(code)
})

test('knows the postal codes of the territories', () => {
  // Puerto Rico, the Virgin Islands, Guam, American Samoa, the Northern Marianas.
  expect(['00901', '00802', '96910', '96799', '96950'].map(postalCodeId)).not.toContain(unknownLocation)
})

test.each([
  ['Boston', 2108, 'New York', 10001, 190],
  ['Los Angeles', 90012, 'San Francisco', 94102, 347],
  ['Portland', portland, 'Seattle', 98101, 145],
])('the distance from %s (%i) to %s (%i) is about %i miles', (_, from, __, to, miles) => {
  expect(Math.abs(milesBetween(from, to) - miles)).toBeLessThan(miles * 0.02)
  expect(milesBetween(to, from)).toBe(milesBetween(from, to))
})

test('an unknown location is infinitely far away and in no band', () => {
  expect(milesBetween(portland, unknownLocation)).toBe(Infinity)
  expect(milesBand(portland, unknownLocation)).toBeNull()
  expect(milesBand(unknownLocation, unknownLocation)).toBeNull()
})

test('the bands in kilometres are narrower than those in miles', () => {
  // East Portland is 5.6 km away, Salem 71 km, Seattle 233 km.
  expect([97266, 97301, 98101].map((code) => bandsBetween(portland, code).within_km)).toEqual([10, 100, null])
})

test('returns the narrowest band that contains the distance', () => {
  // The postal code itself, East Portland, Oregon City, Salem, Eugene, Seattle.
  expect([portland, 97266, 97045, 97301, 97401, 98101].map((code) => milesBand(portland, code))).toEqual([
    5,
    5,
    25,
    50,
    null,
    null,
  ])
})

test.each([
  [5, 20301, 22301, 20019],
  [10, 7175, 10010, 7011],
  [25, 969, 718, 723],
  [50, 1264, 12603, 1360],
  [100, 1257, 2920, 7307],
] as const)(
  'a band of %i miles and a radius of as many include postal codes at exactly that distance',
  (band, from, atLimit, beyond) => {
    expect(milesBetween(from, atLimit)).toBe(band)
    expect(milesBetween(from, beyond)).toBeCloseTo(band + 0.003, 2)
    expect([atLimit, beyond].map((code) => milesBand(from, code) === band)).toEqual([true, false])
    const near = postalCodesWithin(from, band)
    expect([atLimit, beyond].map((code) => near.includes(code))).toEqual([true, false])
    expect(near.every((code) => (milesBand(from, code) ?? Infinity) <= band)).toBe(true)
  },
)

// Includes Alaska beyond the date line, Guam, Maine and Kansas.
test.each([portland, 99546, 99638, 96910, 4401, 67202])(
  'postalCodesWithin returns the postal codes within a distance of %i',
  (from) => {
    const all = allPostalCodes(from)
    for (const miles of [1, 5, 25, 100, 500]) {
      expect(postalCodesWithin(from, miles)).toEqual(all.filter((code) => milesBetween(from, code) <= miles))
    }
  },
)

test('lists every postal code once, nearest first', () => {
  const all = allPostalCodes(portland)
  const distances = all.map((code) => milesBetween(portland, code))

  expect(all.length).toBeGreaterThan(41_000)
  expect(new Set(all).size).toBe(all.length)
  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  expect(byDistance(portland, all.toReversed())).toEqual(all)
  for (const from of [portland, 96910])
    expect(nearestPostalCodes(from)).toEqual(allPostalCodes(from).slice(0, 2048))
})
