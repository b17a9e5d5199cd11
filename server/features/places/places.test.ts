import { expect, test } from 'vitest'
import {
  bandBetween,
  byDistance,
  milesBetween,
  nowhere,
  placeOf,
  placesOutward,
  placesWithin,
} from './places.ts'

const portland = 97214

test.each([
  ['97214', portland],
  ['97214-1234', portland],
  [' 97214 ', portland],
  ['972141234', portland],
  ['02134', 2134],
  ['00601', 601],
  ['85288', 85288],
  ['00000', nowhere],
  ['9721', nowhere],
  ['972145', nowhere],
  ['97214-12', nowhere],
  ['SW1A 1AA', nowhere],
  ['x97214', nowhere],
  ['', null],
  [null, null],
])('the place of the postcode %j is %j', (postcode, place) => {
  expect(placeOf(postcode)).toBe(place)
})

test('the territories are places too', () => {
  // Puerto Rico, the Virgin Islands, Guam, American Samoa, the Northern Marianas.
  expect(['00901', '00802', '96910', '96799', '96950'].map(placeOf)).not.toContain(nowhere)
})

test.each([
  ['Boston', 2108, 'New York', 10001, 190],
  ['Los Angeles', 90012, 'San Francisco', 94102, 347],
  ['Portland', portland, 'Seattle', 98101, 145],
])('the way from %s (%i) to %s (%i) is some %i miles', (_, one, __, other, miles) => {
  expect(Math.abs(milesBetween(one, other) - miles)).toBeLessThan(miles * 0.02)
  expect(milesBetween(other, one)).toBe(milesBetween(one, other))
})

test('nothing is near to nowhere', () => {
  expect(milesBetween(portland, nowhere)).toBe(Infinity)
  expect(bandBetween(portland, nowhere)).toBeNull()
  expect(bandBetween(nowhere, nowhere)).toBeNull()
})

test('a band is the narrowest that holds the distance', () => {
  // The same postcode, East Portland, Oregon City, Salem, Eugene, Seattle.
  expect([portland, 97266, 97045, 97301, 97401, 98101].map((place) => bandBetween(portland, place))).toEqual([
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
  'a band of %i miles ends with what is just as far, as does what is near by so many',
  (band, from, there, behind) => {
    expect(milesBetween(from, there)).toBe(band)
    expect(milesBetween(from, behind)).toBeCloseTo(band + 0.003, 2)
    expect([there, behind].map((place) => bandBetween(from, place) === band)).toEqual([true, false])
    const near = placesWithin(from, band)
    expect([there, behind].map((place) => near.includes(place))).toEqual([true, false])
    expect(near.every((place) => (bandBetween(from, place) ?? Infinity) <= band)).toBe(true)
  },
)

/** Alaska with its far corner beyond the date line, Guam, Maine, and the middle. */
test.each([portland, 99546, 99638, 96910, 4401, 67202])(
  'what is within miles of %i is what is no further',
  (from) => {
    const everywhere = [...placesOutward(from)].flat()
    for (const miles of [1, 5, 25, 100, 500]) {
      expect(placesWithin(from, miles)).toEqual(
        everywhere.filter((place) => milesBetween(from, place) <= miles),
      )
    }
  },
)

test('outward goes over every place once, the nearest first, and goes on where it is told', () => {
  const everywhere = [...placesOutward(portland)].flat()
  const distances = everywhere.map((place) => milesBetween(portland, place))

  expect(everywhere.length).toBeGreaterThan(41_000)
  expect(new Set(everywhere).size).toBe(everywhere.length)
  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  expect(byDistance(portland, everywhere.toReversed())).toEqual(everywhere)
  for (const index of [0, 1, 30, 700, 9000, everywhere.length - 1]) {
    expect([...placesOutward(portland, everywhere[index])].flat()).toEqual(everywhere.slice(index))
  }
})
