import { clickTryAgain, expect, test } from './fixtures.ts'

test('a navigation focuses the heading, and search parameters that a screen does not accept are removed', async ({
  world,
}) => {
  const { page } = await world.member('ann')

  await test.step('a navigation focuses the heading and sets the page title, and Back focuses the followed link', async () => {
    await page.goto('/my-listings')
    // Before hydration a link loads a page, and nothing is focused.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'profile', exact: true }).click()

    await expect(page.getByRole('heading', { name: 'my profile' })).toBeFocused()
    await expect(page).toHaveTitle('My profile · Rhubarb')
    await expect(page.getByRole('link', { name: 'profile', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )

    await page.goBack()
    await expect(page).toHaveURL('/my-listings')
    await expect(page.getByRole('link', { name: 'profile', exact: true })).toBeFocused()
  })

  await test.step('search parameters that a screen does not accept are removed from the address', async () => {
    await page.goto('/listings?category=nonsense&utm=42')
    await expect(page).toHaveURL('/listings')
  })
})

test('a screen whose code fails to load shows an error, and Try again loads it', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('/assets/', 'dynamically imported module')
  await page.goto('/login')
  await expect(page).toHaveURL('/my-listings')
  await page.route('**/assets/profile-*.js', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'profile', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()

  await clickTryAgain(page, '**/assets/profile-*.js')
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
})

test('a screen whose code a deployment removed offers the new version', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('status of 404', 'import failed')
  await page.goto('/my-listings')
  await expect(page.getByRole('heading', { name: 'my lists' })).toBeVisible()
  let isGone = true
  await page.route('**/assets/*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.fallback()))
  await page.getByRole('link', { name: 'profile', exact: true }).click()
  await expect(page.getByText('A new version is here.')).toBeVisible()
  // The screen requests its code again until the page is reloaded.
  const reload = page
    .waitForRequest((request) => request.isNavigationRequest())
    .then(() => {
      isGone = false
    })
  await page.getByRole('button', { name: 'Reload' }).click()
  await reload
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
})
