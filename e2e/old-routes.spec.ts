import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, once, test } from './fixtures.ts'

test('an old address leads to the new one, and back does not lead to it again', once, async ({ garden }) => {
  const { page } = await garden.member('ann')
  for (const [old, now] of [
    ['/my-listings-old', '/my-listings'],
    ['/old-profile', '/profile'],
    ['/my-friend-listing', '/listings?tab=friends'],
  ] as const) {
    await page.goto('/listings/new')
    await page.goto(old)
    await expect(page).toHaveURL(now)
    await page.goBack()
    await expect(page).toHaveURL('/listings/new')
  }
})

test('the old addresses of a listing lead to it', once, async ({ garden }) => {
  const { page, actor } = await garden.member('ann')
  const body = { title: 'Old apples', type_id: types.giveaway, category_id: categories.produce }
  const { id } = await actor.call(createListing, { body })
  await page.goto(`/my-listings/${id}`)
  await expect(page).toHaveURL(`/listings/${id}`)
  await expect(page.getByRole('heading', { name: 'Old apples' })).toBeVisible()
  await page.goto(`/editlisting/${id}`)
  await expect(page).toHaveURL(`/listings/${id}/edit`)
  await expect(page.getByLabel('Item name')).toHaveValue('Old apples')
})

test('an old address leads a visitor over the login', once, async ({ garden }) => {
  const ann = await garden.member('ann')
  const { page } = await garden.visitor()
  await page.goto('/old-profile')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
})
