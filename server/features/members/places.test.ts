import { afterAll, describe, expect, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { distanceBandsKm, milesPerKm, types } from '#contract/constants.ts'
import { createListing, listingMessages } from '#contract/listings.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const region = { country: 'DE', currency: 'EUR', distanceUnit: 'km' } as const

describe('a site in Germany', async () => {
  const world = await newWorld({ config: { region } })
  afterAll(() => world[Symbol.asyncDispose]())

  test('finds what is near by the town, and accepts any postcode', async () => {
    const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
    const places = [
      [ann, { city: 'Köln', state: 'NRW', postcode: '50667' }],
      [bob, { city: 'Bonn', state: 'NRW', postcode: '1' }],
      [cat, { city: 'Berlin', state: 'Berlin', postcode: 'D-10115' }],
    ] as const
    for (const [member, body] of places)
      expect(
        await member.send('POST', '/api/auth/upload-profile-image', { body: formOf(body) }),
      ).toMatchObject({
        status: 200,
        body: { location_known: true, zip_code: body.postcode },
      })
    for (const member of [bob, cat])
      await member.call(createListing, {
        body: { title: `Plums of ${member.username}`, type_id: types.giveaway },
      })

    const { body } = await ann.send<{ title: string; within_km: number }[]>(
      'GET',
      '/api/listings?near=31.07&sort=nearest',
    )
    expect(body.map(({ title, within_km }) => [title, within_km])).toEqual([['Plums of bob', 25]])
  })

  test('a radius in kilometres finds what its band has, and nothing of members whose place is unknown', async () => {
    const names = ['koln', 'hurth', 'bonn', 'wuppertal', 'dortmund', 'berlin', 'nowhere'] as const
    const cities = ['Köln', 'Hürth', 'Bonn', 'Wuppertal', 'Dortmund', 'Berlin', 'Atlantis']
    const members = await world.members(...names)
    for (const [index, member] of members.entries()) {
      const city = cities[index] ?? ''
      const { location_known } = await member.call(updateProfile, { body: { city } })
      expect({ city, location_known }).toEqual({ city, location_known: city !== 'Atlantis' })
      await member.call(createListing, { body: { title: `Pears of ${city}`, type_id: types.giveaway } })
    }
    const [ann] = await world.members('ann_of_koln')
    await ann.call(updateProfile, { body: { city: 'Köln' } })
    const listed = async (near: string) => {
      const path = `/api/listings?q=pears&sort=nearest${near}`
      const { body } = await ann.send<{ title: string; within_km: number | null }[]>('GET', path)
      return body.map(({ title, within_km }) => [title.replace('Pears of ', ''), within_km] as const)
    }

    const all = await listed('')
    expect(all).toEqual([
      ['Köln', 5],
      ['Hürth', 10],
      ['Bonn', 25],
      ['Wuppertal', 50],
      ['Dortmund', 100],
      ['Berlin', null],
    ])
    for (const km of distanceBandsKm)
      expect(await listed(`&near=${km * milesPerKm}`)).toEqual(
        all.filter(([, band]) => band !== null && band <= km),
      )
  })

  test('a move to another town changes the location, without a new postcode', async () => {
    const [dan] = await world.members('dan')
    await dan.call(updateProfile, { body: { city: 'Atlantis' } })
    expect(await dan.call(updateProfile, { body: { state: 'Sea' } })).toMatchObject({
      location_known: false,
      city: 'Atlantis',
    })
    expect(await dan.call(updateProfile, { body: { city: 'Hamburg', state: '' } })).toMatchObject({
      location_known: true,
    })
  })

  test('a radius in round kilometres is kept', async () => {
    const [eve] = await world.members('eve')
    const match_radius = 25 / 1.609344
    expect((await eve.call(updatePreferences, { body: { match_radius } })).match_radius).toBeCloseTo(
      match_radius,
      9,
    )
  })
})

describe.each([
  ['CA', 'CAD', 'M5V 2T6', 'Z9Z 9Z9'],
  ['AU', 'AUD', '3000', '30000'],
])('a site in %s', async (country, currency, known, unknown) => {
  const world = await newWorld({ config: { region: { country, currency, distanceUnit: 'km' } } })
  afterAll(() => world[Symbol.asyncDispose]())

  test('knows the postcodes of the country, and keeps one that it does not know', async () => {
    const [ann] = await world.members('ann')
    expect(await ann.call(updateProfile, { body: { zip_code: known } })).toMatchObject({
      zip_code: known,
      location_known: true,
    })
    expect(await ann.call(updateProfile, { body: { zip_code: unknown } })).toMatchObject({
      zip_code: unknown,
      location_known: false,
    })
    expect(await ann.send('GET', '/api/listings?near=5')).toMatchObject({
      status: 422,
      body: { code: 'location_unknown', detail: listingMessages.placeUnknown },
    })
  })
})

describe('a site in the United States', async () => {
  const world = await newWorld()
  afterAll(() => world[Symbol.asyncDispose]())

  test('says that a postcode is unknown, keeps it, and shows nothing as near', async () => {
    const [ann] = await world.members('ann')
    expect(await ann.send('GET', '/api/listings?near=5')).toMatchObject({
      status: 422,
      body: { code: 'location_unknown', detail: listingMessages.locationUnknown },
    })
    expect(
      await ann.call(uploadProfileImage, { body: { city: 'Nowhere', state: 'CA', postcode: ' 99999 ' } }),
    ).toMatchObject({ location_known: false, zip_code: '99999' })
    expect(await ann.send('GET', '/api/listings?near=5')).toMatchObject({
      status: 422,
      body: { code: 'location_unknown', detail: listingMessages.placeUnknown },
    })
  })

  test('refuses a postcode of fewer than five characters', async () => {
    const [bob] = await world.members('bob')
    const refused = { status: 422, body: { detail: 'Postcode must be at least 5 characters.' } }
    expect(await bob.try(uploadProfileImage, { body: { postcode: '1234' } })).toMatchObject(refused)
    expect(await bob.try(updateProfile, { body: { zip_code: '1234' } })).toMatchObject(refused)
  })
})

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
