import type { Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { insertListings } from './database.ts'
import { clickTryAgain, expect, expectAccessible, test } from './fixtures.ts'
import { listingsOf, rowOf } from './my-listings.ts'

test.describe('my lists', () => {
  test('show that there are no listings, group them by category, and are the current page while an own listing is open', async ({
    world,
  }) => {
    const [ann, bob] = [await world.member('ann'), await world.member('bob')]
    const { page, actor } = ann
    const current = (at: Page) =>
      at.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]')
    await test.step('without listings, a link leads to the form of one', async () => {
      await page.goto('/my-listings')
      await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'New listing' }).last().click()
      await expect(page).toHaveURL('/listings/new')
    })

    for (const [title, category_id] of [
      ['Kale', categories.produce],
      ['Tomatoes', categories.produce],
      ['Poppy seed', categories.seeds],
      ['Leaf mold', null],
    ] as const) {
      await actor.call(createListing, { body: { title, category_id, type_id: types.giveaway } })
    }
    await page.goto('/my-listings')
    await expect(page.getByRole('link', { name: 'Have' })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['produce', 'seeds', 'uncategorized'])
    // A search would not help with few listings.
    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Categories' })).toHaveCount(0)
    const produce = page.getByRole('region', { name: 'produce' })
    await expect(produce.getByRole('listitem')).toHaveCount(2)
    await expect(produce.getByText('2 listings')).toBeVisible()
    await expect(page.getByRole('region', { name: 'seeds' }).getByText('1 listing')).toBeVisible()
    await expect(page.getByRole('link', { name: 'New listing' })).toHaveAttribute('href', '/listings/new')
    await expect(page.getByRole('link', { name: 'Add wanted items' })).toHaveCount(0)

    await page.getByRole('link', { name: 'Kale' }).click()
    await expect(page.getByRole('heading', { name: 'Kale' })).toBeVisible()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/my-listings')

    await page.getByRole('link', { name: 'Kale', exact: true }).click()
    await expect(page).toHaveURL(/\/listings\/\d+$/)
    await expect(current(page)).toHaveText('my listing')
    await page.reload()
    await expect(current(page)).toHaveText('my listing')
    await bob.page.goto(page.url())
    await expect(bob.page.getByRole('heading', { name: 'Kale' })).toBeVisible()
    await expect(current(bob.page)).toHaveText('marketplace')
  })

  test('have a search and links to the categories when there are more than a hundred listings', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    const { page, actor } = ann
    await insertListings(ann, 'Pumpkin', 102, { category_id: categories.produce })
    await actor.call(createListing, {
      body: {
        title: 'Poppy',
        description: 'Shirley, pink',
        type_id: types.giveaway,
        category_id: categories.seeds,
      },
    })
    const rows = page.getByRole('main').getByRole('region').getByRole('listitem')
    await page.goto('/my-listings')
    await expect(rows).toHaveCount(103)
    await expectAccessible(page, 'my lists with a search', 'li + li')

    const jumps = page.getByRole('navigation', { name: 'Categories' })
    await expect(jumps.getByRole('link')).toHaveText(['produce 102', 'seeds 1'])
    await expect(rowOf(page, 'Poppy')).not.toBeInViewport()
    await jumps.getByRole('link', { name: 'seeds' }).press('Enter')
    await expect(rowOf(page, 'Poppy')).toBeInViewport()
    await expect(page.getByRole('heading', { level: 2, name: 'seeds' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Poppy', exact: true })).toBeFocused()
    await expect(jumps).toBeInViewport({ ratio: 1 })

    const search = page.getByRole('searchbox', { name: 'Search my listings' })
    await search.fill('PINK')
    await expect(rows).toHaveText([/Poppy/])
    await expect(page).toHaveURL(/q=PINK/)
    await expect(jumps).toHaveCount(0)
    await page.reload()
    await expect(rows).toHaveText([/Poppy/])
    await page.getByText('private', { exact: true }).click()
    await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(rows).toHaveCount(103)
    await search.fill('nothing of the kind')
    await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect(rows).toHaveCount(103)
  })

  test('are filtered by private or public, not both, and Back restores the filter', async ({ world }) => {
    const { page, actor } = await world.member('ann')
    const common = { type_id: types.giveaway, category_id: categories.produce }
    await actor.call(createListing, { body: { ...common, title: 'For all', is_public: true } })
    await actor.call(createListing, { body: { ...common, title: 'For friends', is_public: false } })
    const [forPrivate, forPublic] = [page.getByLabel('private'), page.getByLabel('public', { exact: true })]
    await page.goto('/my-listings')

    await page.getByText('private', { exact: true }).click()
    await expect(forPrivate).toBeChecked()
    await expect(rowOf(page, 'For friends')).toBeVisible()
    await expect(rowOf(page, 'For all')).toHaveCount(0)

    await page.locator('fieldset').getByText('public').click()
    await expect(forPublic).toBeChecked()
    await expect(forPrivate).not.toBeChecked()
    await expect(rowOf(page, 'For all')).toBeVisible()
    await expect(rowOf(page, 'For friends')).toHaveCount(0)

    await rowOf(page, 'For all').locator('label').click()
    await expect(page.getByText('Listing is private now')).toBeVisible()
    await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()

    await page.goBack()
    await expect(forPrivate).toBeChecked()
    await page.getByText('private', { exact: true }).click()
    await expect(rowOf(page, 'For all')).toBeVisible()
    await expect(rowOf(page, 'For friends')).toBeVisible()
  })

  test('change the visibility of a listing once the server confirms, and leave it when the server fails', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    const { page, actor } = ann
    await actor.call(createListing, { body: { title: 'Garlic', type_id: types.giveaway } })
    const toggle = page.getByRole('switch', { name: /public/ })
    await page.goto('/my-listings')

    await test.step('the switch stays unchanged when the server fails', async () => {
      ann.allowErrors('500')
      await page.route('**/visibility', (route) => route.fulfill({ status: 500 }), { times: 1 })
      await page.locator('li label').click()
      await expect(page.getByText('Not changed. Please try again.')).toBeVisible()
      await expect(toggle).toBeChecked()
      await expectAccessible(page)
    })

    await test.step('the visibility changes once the server confirms', async () => {
      await expect(toggle).toBeChecked()

      const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>()
      await page.route('**/visibility', async (route) => {
        await confirmed
        await route.continue()
      })
      await page.locator('li label').click()
      await expect(toggle).toBeChecked()
      confirm()
      await expect(toggle).not.toBeChecked()
      expect(await listingsOf(ann)).toMatchObject([{ is_public: false }])

      await page.getByRole('link', { name: 'Garlic', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Garlic' })).toBeVisible()
      await expect(page.getByText('public', { exact: true })).toHaveCount(0)
    })
  })

  test('show an error when the listings or the profile fail to load, and can be tried again', async ({
    world,
  }) => {
    const { page, actor, allowErrors } = await world.member('ann')
    allowErrors('403')
    await actor.call(createListing, { body: { title: 'Garlic', type_id: types.giveaway } })
    for (const calls of ['**/api/listings?*', '**/api/auth/profile'])
      await page.route(calls, (route) => route.fulfill({ status: 403 }))
    await page.goto('/my-listings')
    await expect(page.getByText('Failed to load listings. Please try again later.')).toBeVisible()
    await clickTryAgain(page, '**/api/listings?*')
    await expect(rowOf(page, 'Garlic')).toBeVisible()

    await expect(page.getByText('Failed to load profile data.')).toBeVisible()
    await clickTryAgain(page, '**/api/auth/profile')
    await expect(page.getByText('Add your postcode')).toBeVisible()
  })
})
