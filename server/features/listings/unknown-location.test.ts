import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, type Listing, listingMessages } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const [ann, fay, gus] = await world.members('ann', 'fay', 'gus')
for (const [member, zip_code] of [
  [ann, '97214'],
  [fay, '00000'],
] as const)
  await member.call(updateProfile, { body: { zip_code } })

describe('a member whose location is unknown', () => {
  test.each(['near=5', 'sort=nearest', 'friends=true&near=25', 'q=kale&near=5', 'mine=true&sort=nearest'])(
    'must enter a postal code first: %s',
    async (query) => {
      for (const [member, field, detail] of [
        [gus, query.includes('near=') ? 'near' : 'sort', listingMessages.locationUnknown],
        [fay, undefined, listingMessages.placeUnknown],
      ] as const)
        expect(await member.send('GET', `/api/listings?${query}`)).toMatchObject({
          status: 422,
          body: { code: 'location_unknown', detail, ...(field && { errors: [{ field }] }) },
        })
    },
  )

  test('has no listings in lists by distance', async () => {
    const [london] = await world.members('london')
    await london.call(updateProfile, { body: { city: 'London', zip_code: 'SW1A 1AA' } })
    const body = { title: 'Kale from London', type_id: types.giveaway }
    const { id } = await london.call(createListing, { body })
    for (const query of ['near=5', 'near=500', 'sort=nearest', 'near=5&sort=nearest', 'q=london&near=500']) {
      const pages = await ann.pages<Listing>(`/api/listings?${query}&limit=100`)
      expect(pages.flat().map((listing) => listing.id)).not.toContain(id)
    }
    expect(await ann.call(listListings, { query: { q: 'london' } })).toMatchObject([{ id }])
    expect(await london.send('GET', '/api/listings?near=5')).toMatchObject({ status: 422 })
    await world.db.deleteFrom('listings').where('id', '=', id).execute()
  })
})
