import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { Actor } from '#test/actor.ts'
import { expect, loginRecord, test } from './fixtures.ts'
import { startServer } from './global-setup.ts'

// It starts a server of its own.
test.describe.configure({ timeout: 240_000 })

test('a site in Germany has euros and kilometers, a typed “3,50”, and says which place it does not know', async ({
  browser,
}) => {
  await using server = await startServer({ COUNTRY: 'DE', CURRENCY: 'EUR' }, '.cache/e2e-germany.log')
  const [ann, bob] = [new Actor(server.url), new Actor(server.url)]
  await ann.join({ username: 'ann' })
  await bob.join({ username: 'bob' })
  await ann.call(updateProfile, { body: { city: 'Köln', state: 'NRW' } })
  await bob.call(updateProfile, { body: { city: 'Bonn', state: 'NRW' } })
  await bob.call(createListing, {
    body: { title: 'Plums', type_id: types.sell, price: 4, is_public: true },
  })
  const localStorage = [{ name: 'auth', value: loginRecord(ann) }]
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))

  await page.goto('/listings?near=50')
  const main = page.getByRole('main')
  await expect(main.getByText('€4')).toBeVisible()
  await expect(main.getByText('under 25 km')).toBeVisible()
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByLabel('Near me')).toHaveValue('50')
  await page.getByLabel('Near me').selectOption('within 10 km')
  await page.getByRole('dialog').getByRole('button', { name: 'save' }).click()
  await expect(page).toHaveURL(/near=10/)
  await expect(main.getByText('Plums')).toHaveCount(0)

  // There are no outlines of other countries: the list of towns is the map.
  for (const title of ['Sour cherries', 'Walnuts'])
    await bob.call(createListing, { body: { title, type_id: types.giveaway } })
  await page.goto('/listings')
  await page.getByRole('button', { name: 'map' }).click()
  const areas = page.getByRole('complementary', { name: 'Listings by area' })
  await expect(areas.getByRole('listitem')).toHaveText([/^Bonn3 listings · under 25 km$/])
  await expect(areas.locator('svg')).toHaveCount(0)
  await areas.getByRole('link', { name: /^Bonn/ }).click()
  await expect(page).toHaveURL(/area=/)
  await expect(main.getByText('Walnuts')).toBeVisible()

  await page.goto('/notifications/settings')
  await page.getByLabel('How far away').selectOption('within 25 km')
  await page.getByRole('button', { name: 'save mail preferences' }).click()
  await expect(page.getByText('Mail preferences saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('How far away')).toHaveValue('25')

  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Quinces')
  await page.getByLabel('Type').selectOption('sell')
  await page.getByLabel('Price').pressSequentially('3,50')
  await page.getByRole('button', { name: 'post' }).click()
  await expect(page.getByText('Listing posted')).toBeVisible()
  await expect(main.getByText('€3.50').first()).toBeVisible()

  await ann.call(updateProfile, { body: { city: 'Atlantis' } })
  await page.goto('/profile')
  await expect(main.getByText('We do not know the place Atlantis, NRW.')).toBeVisible()
  await page.goto('/listings?near=50')
  await expect(main.getByText('We do not know the place Atlantis, NRW.')).toBeVisible()
  expect(errors).toEqual([])
  await context.close()
})
