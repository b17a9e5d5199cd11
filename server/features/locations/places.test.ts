import { expect, test } from 'vitest'
import { locationId, type Place } from './places.ts'
import { bandsBetween, milesBetween, postalCodesWithin, unknownLocation } from './postal-codes.ts'

const kmBetween = (country: string, one: Place, other: Place) =>
  Math.round(milesBetween(locationId(country, one), locationId(country, other)) * 1.609344)

test.each<[country: string, one: Place, other: Place, km: number]>([
  ['DE', { city: 'Köln' }, { city: 'Bonn' }, 25],
  ['DE', { city: 'München' }, { city: 'munich' }, 0],
  ['GB', { city: 'Brighton', zip_code: 'BN1 1AA' }, { city: 'Hove' }, 3],
  ['FR', { city: 'Saint-Étienne' }, { city: 'saint etienne' }, 0],
  ['ES', { city: 'Sevilla' }, { city: 'Córdoba' }, 120],
  ['NL', { city: "'s-Hertogenbosch" }, { city: 'Tilburg' }, 21],
  ['MX', { city: 'Ciudad de México' }, { city: 'Puebla' }, 107],
  ['CA', { zip_code: 'M5V 2T6' }, { zip_code: 'k1p' }, 352],
  ['CA', { city: 'Toronto', zip_code: 'M5V' }, { city: 'Hamilton', state: 'Ontario' }, 59],
  ['AU', { zip_code: '3000' }, { zip_code: '3350' }, 101],
  ['JP', { city: '東京' }, { city: 'Tokyo' }, 0],
])('in %s, from %j to %j are about %i km', (country, one, other, km) => {
  expect(Math.abs(kmBetween(country, one, other) - km)).toBeLessThanOrEqual(Math.max(3, km * 0.1))
})

test.each<[country: string, place: Place]>([
  ['US', { city: 'Portland', state: 'OR' }],
  ['US', { city: 'Portland', zip_code: '99999' }],
  ['DE', { city: 'Atlantis', zip_code: '50667' }],
  ['DE', { city: '', zip_code: '' }],
  ['DE', { city: '…' }],
  ['DE', { city: 'Toronto' }],
  ['CA', { zip_code: 'Z9Z 9Z9' }],
  ['AU', { zip_code: '30000' }],
  ['ZZ', { city: 'Köln' }],
])('in %s, %j is unknown and near nothing', (country, place) => {
  const id = locationId(country, place)

  expect(id).toBe(unknownLocation)
  expect(bandsBetween(id, id)).toEqual({ within_miles: null, within_km: null })
  expect(postalCodesWithin(id, 500)).toEqual([])
})

test('of towns with the same name the region tells which one is meant, or else a much larger one is', () => {
  const [oder, main] = [
    locationId('DE', { city: 'Frankfurt', state: 'Brandenburg' }),
    locationId('DE', { city: 'Frankfurt', state: 'Hesse' }),
  ]

  expect(oder).not.toBe(unknownLocation)
  expect(main).not.toBe(unknownLocation)
  expect(milesBetween(oder, main)).toBeGreaterThan(250)
  expect(locationId('DE', { city: 'Frankfurt' })).toBe(main)
})

test('a radius has towns of the same country only', () => {
  const aachen = locationId('DE', { city: 'Aachen' })
  const near = postalCodesWithin(aachen, 25)

  expect(near).toContain(locationId('DE', { city: 'Eschweiler' }))
  expect(near).not.toContain(locationId('NL', { city: 'Heerlen' }))
})
