import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { getProfile, uploadProfileImage } from '#contract/auth.ts'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, test } from './fixtures.ts'

test("the profile shows the member's data and the address of support, downloads the data as JSON, and shows when that fails", async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('status of 500')
  await ann.actor.call(createListing, {
    body: { title: 'Old apples', type_id: types.giveaway, category_id: categories.produce },
  })
  await ann.actor.call(uploadProfileImage, { body: { city: 'Portland', state: 'OR', postcode: '97214' } })
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
  await expect(page.getByText(`@${ann.username}`)).toBeVisible()
  await expect(page.getByText('0 friends')).toBeVisible()
  for (const [name, value] of [
    ['Name', 'Ann Gardener'],
    ['Username', ann.username],
    ['Email', `${ann.email} (not confirmed)`],
    ['Password', '••••••••'],
    ['Address', 'Portland, OR 97214'],
  ] as const)
    await expect(detail(page, name)).toHaveText(value)
  const support = page.getByRole('region', { name: 'Support' })
  await expect(support.getByRole('link')).toHaveAttribute('href', 'mailto:hello@rhubarb.example')

  await page.route('**/api/auth/export', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
  await page.getByRole('button', { name: 'download my data' }).click()
  await expect(page.getByRole('alert')).toContainText('An error occurred')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toBeHidden()

  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'download my data' }).click()
  const download = await downloadEvent
  expect(download.suggestedFilename()).toBe('rhubarb-export.json')
  const text = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    users: [{ email: ann.email }],
    listings: [{ title: 'Old apples' }],
  })
})

test('the profile shows that it is loading, then My Name, the number of friends and a missing address, or that it does not exist', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  const profile = await ann.actor.call(getProfile)
  const unknown = { first_name: '', city: null, state: null, zip_code: null, friend_count: 1 }
  const { promise: isDisplayed, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/auth/profile', async (route) => {
    await isDisplayed
    await route.fulfill({ json: { ...profile, ...unknown } })
  })
  await page.goto('/profile')
  await expect(page.getByRole('status').getByText('Loading profile...')).toBeVisible()
  answer()
  await expect(detail(page, 'Address')).toHaveText('Address not available')
  await expect(page.getByText('My Name')).toBeVisible()
  await expect(page.getByText('1 friend', { exact: true })).toBeVisible()

  ann.allowErrors('status of 404')
  await page.route('**/api/auth/profile', (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
  await expect(page.getByText('Profile not found')).toBeVisible()
})

function detail(page: Page, name: string) {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('+ dd')
}
