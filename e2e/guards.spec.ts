import { askAgain, expect, once, test } from './fixtures.ts'

test(
  'anyone who wants what is not there reads that there is no such page, and finds home',
  once,
  async ({ garden }) => {
    for (const { page, expectTrouble } of [await garden.visitor(), await garden.member('ann')]) {
      expectTrouble('status of 404')
      for (const place of [
        '/no-such-page',
        '/listings/7/no-such-page',
        '/my-listings/no-such-page/at/all',
        '/not-found',
      ]) {
        await page.goto(place)
        await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
        await expect(page).toHaveTitle('Page Not Found · Rhubarb')
      }
      await page.getByRole('link', { name: 'Go to Home' }).click()
      await expect(page).toHaveURL('/')
    }
  },
)

test('what a screen refuses does not stay in its address', once, async ({ garden }) => {
  const { page } = await garden.member('ann')
  await page.goto('/listings?category=nonsense&utm=42')
  await expect(page).toHaveURL('/listings')
  await page.goto('/listings?category=seeds')
  await expect(page).toHaveURL('/listings?category=seeds')
})

test('a screen that comes has the focus at its title, its name above, and back leads back', async ({
  garden,
}) => {
  const { page } = await garden.member('ann')
  await page.goto('/my-listings')
  // Before the app has taken over, a link is an ordinary one: the browser loads a page, which starts at its top.
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
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a screen that can not be fetched says so, and comes when asked again', once, async ({ garden }) => {
  const ann = await garden.member('ann')
  const { page } = ann
  ann.expectTrouble('/assets/', 'dynamically imported module')
  await page.goto('/login')
  await expect(page).toHaveURL('/my-listings')
  await page.route('**/assets/profile-*.js', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'profile', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()

  await askAgain(page, '**/assets/profile-*.js')
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
})
