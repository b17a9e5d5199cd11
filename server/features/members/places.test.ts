import { afterAll, describe, expect, test } from 'vitest'
import { uploadProfileImage } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing, listingMessages } from '#contract/listings.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const region = { country: 'DE', currency: 'EUR', distanceUnit: 'km', firstDay: 'monday' } as const

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
