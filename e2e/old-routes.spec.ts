import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, test } from './fixtures.ts'

for (const [old, now] of [
  ['/my-listings-old', '/my-listings'],
  ['/old-profile', '/profile'],
  ['/my-friend-listing', '/listings?tab=friends'],
] as const) {
  test(`${old} leads to ${now}, and back does not lead to it again`, async ({ garden }) => {
    const { page } = await garden.member('ann')
    await page.goto('/listings/new')
    await page.goto(old)
    await expect(page).toHaveURL(now)
    await page.goBack()
    await expect(page).toHaveURL('/listings/new')
  })
}

for (const old of ['/editlisting', '/my-listings'] as const) {
  test(`${old}/{id} leads to the listing`, async ({ garden }) => {
    const ann = await garden.member('ann')
    const body = { title: 'Old apples', type_id: types.giveaway, category_id: categories.produce }
    const { id } = await ann.actor.call(createListing, { body })
    await ann.page.goto(`${old}/${id}`)
    await expect(ann.page).toHaveURL(`/listings/${id}`)
    await expect(ann.page.getByRole('heading', { name: 'Old apples' })).toBeVisible()
  })
}

test('an old address leads a visitor over the login', async ({ garden }) => {
  const ann = await garden.member('ann')
  const { page } = await garden.visitor()
  await page.goto('/old-profile')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
})
