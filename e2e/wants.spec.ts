import type { Page } from '@playwright/test'
import { categories } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { createWant, listWants, type Want } from '#contract/wants.ts'
import { type Account, clickTryAgain, expect, expectAccessible, loginRecord, test } from './fixtures.ts'

const group = (page: Page, name: string) => page.getByRole('region', { name })
const item = (page: Page, category: string, number: number) =>
  page.getByLabel(`${category}, item ${number}`, { exact: true })
const add = (page: Page, category: string) => page.getByRole('button', { name: `add to ${category}` })
const save = (page: Page) => page.getByRole('button', { name: 'save' }).click()

function want({ actor }: Account, body: CallInput<typeof createWant>['body']): Promise<Want> {
  return actor.call(createWant, { body })
}
/** Replaces the digits of a name, so that a search takes it for one word. */
const inLetters = (name: string) =>
  name.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit))).replace('_', '')

const titles = async ({ actor }: Account) =>
  (await actor.call(listWants, { query: {} })).map(({ title }) => title)

test('a member writes a want list and edits it, and other members see it', async ({ world }) => {
  // A long test with two browsers.
  test.slow()
  const ann = await world.member('ann')
  const bob = await world.member('bob')
  const bricks = `Old bricks ${inLetters(world.uniqueName(''))}`
  await bob.actor.call(createListing, { body: { title: `${bricks}, forty of them`, price: 5 } })
  const { page } = ann
  await page.goto('/my-listings')
  await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Want' }).click()
  await expect(page).toHaveURL('/my-listings?tab=want')
  await expect(page.getByRole('main').getByText('No items in wishlist.')).toBeVisible()

  await page.getByRole('link', { name: 'Add wanted items' }).first().click()
  await expect(page).toHaveURL('/post-want')
  const tabs = page.getByRole('navigation', { name: 'What to add' })
  await expect(tabs.getByRole('link', { name: 'Want' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Have' }).click()
  await expect(page).toHaveURL('/listings/new')
  await tabs.getByRole('link', { name: 'Want' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'produce',
    'seeds',
    'plants',
    'uncategorized',
  ])

  await save(page)
  await expect(page.getByText('Please add at least one item to your wish list')).toBeInViewport()
  await expect(add(page, 'produce')).toBeDisabled()
  await item(page, 'produce', 1).fill('Meyer lemons')
  await expect(page.getByText('Please add at least one item to your wish list')).toHaveCount(0)
  for (const [number, title] of [
    [2, 'Figs, any kind'],
    [3, 'ab'],
  ] as const) {
    await add(page, 'produce').click()
    await expect(item(page, 'produce', number)).toBeFocused()
    await expect(add(page, 'produce')).toBeDisabled()
    await item(page, 'produce', number).fill(title)
  }
  await item(page, 'plants', 1).fill('Rhubarb crown')
  await item(page, 'uncategorized', 1).fill(bricks)
  await save(page)
  await expect(item(page, 'produce', 3)).toHaveAccessibleDescription(
    'Each item must have at least 3 characters',
  )
  await expect(item(page, 'produce', 3)).toBeFocused()
  await item(page, 'produce', 3).fill('')
  await save(page)

  await expect(page.getByText('Wish list saved')).toBeVisible()
  await expect(page).toHaveURL('/my-listings?tab=want')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['produce', 'plants', 'uncategorized'])
  await expect(group(page, 'produce').getByText('2 of 5')).toBeVisible()
  await expect(group(page, 'plants').getByText('1 of 5')).toBeVisible()
  expect(await titles(ann)).toEqual(['Meyer lemons', 'Figs, any kind', 'Rhubarb crown', bricks])

  await page.getByRole('link', { name: new RegExp(`listings? fits?: ${bricks}`) }).click()
  await expect(page).toHaveURL(/\/matches\?want=\d+$/)
  await page.getByRole('link', { name: `${bricks}, forty of them`, exact: true }).click()
  await expect(page.getByRole('heading', { name: `${bricks}, forty of them` })).toBeVisible()
  await page.goBack()
  await page.goBack()

  await page.getByRole('link', { name: 'Add wanted items' }).click()
  await item(page, 'produce', 1).fill('Eureka lemons')
  await page.getByRole('button', { name: 'Delete Figs, any kind' }).click()
  await expect(page.locator('s', { hasText: 'Figs, any kind' })).toBeVisible()
  await page.getByRole('button', { name: 'keep Figs, any kind' }).click()
  await expect(item(page, 'produce', 2)).toBeFocused()
  await page.getByRole('button', { name: 'Delete Figs, any kind' }).click()
  await page.getByRole('button', { name: 'Delete Rhubarb crown' }).click()
  await expect(group(page, 'plants').getByText('0 of 5')).toBeVisible()
  await item(page, 'seeds', 1).fill('Blue poppy seed')
  await save(page)
  await expect(page).toHaveURL('/my-listings?tab=want')
  expect(await titles(ann)).toEqual(['Eureka lemons', bricks, 'Blue poppy seed'])

  await bob.page.goto(`/seller/${ann.actor.id}`)
  await expect(bob.page.getByRole('main').getByText('No items', { exact: true })).toBeVisible()
  await bob.page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Want' }).click()
  await expect(bob.page).toHaveURL(`/seller/${ann.actor.id}?tab=want`)
  await expect(bob.page.getByRole('heading', { level: 2 })).toHaveText(['produce', 'seeds', 'uncategorized'])
  await expect(group(bob.page, 'seeds').getByText('Blue poppy seed')).toBeVisible()
  await expect(bob.page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await bob.page.goto(`/seller/${bob.actor.id}?tab=want`)
  await expect(bob.page.getByRole('main').getByText('No items in wishlist.')).toBeVisible()

  await page.getByRole('button', { name: 'Delete Blue poppy seed' }).click()
  await expect(page.getByText('Taken off your wish list')).toBeVisible()
  await expect(page.getByText('Blue poppy seed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  await expect(group(page, 'seeds').getByText('Blue poppy seed')).toBeVisible()
  expect((await titles(ann)).sort()).toEqual(['Blue poppy seed', 'Eureka lemons', bricks].sort())
  await page.getByRole('button', { name: 'Delete Blue poppy seed' }).click()
  await expect(page.getByText('Blue poppy seed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete Eureka lemons' }).press('Enter')
  await expect(page.getByText('Eureka lemons')).toHaveCount(0)
  await page.getByRole('button', { name: `Delete ${bricks}` }).click()
  await expect(page.getByRole('main').getByText('No items in wishlist.')).toBeVisible()

  // The next member at this browser can't undo the previous one's action.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.evaluate((login) => {
    localStorage.setItem('auth', login)
    window.dispatchEvent(new StorageEvent('storage', { key: 'auth' }))
  }, loginRecord(bob.actor))
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('a failed save is shown on the current screen, and a repeated one stores nothing twice', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('ERR_FAILED')
  const wants = '**/api/listings/want-listings'
  const saved = ['Plant 1', 'Plant 2']
  for (const title of saved) await want(ann, { title, category_id: categories.plants })
  await page.goto('/my-listings?tab=want')

  // A failure is shown on the current screen.
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  await page.route(wants, (route) =>
    route.request().method() === 'GET' ? route.continue() : failing.then(() => route.abort()),
  )
  await page.getByRole('link', { name: 'Add wanted items' }).click()
  await item(page, 'seeds', 1).fill('Blue poppy seed')
  await save(page)
  await page.getByRole('link', { name: 'marketplace' }).click()
  await expect(page.getByRole('heading', { name: 'marketplace' })).toBeVisible()
  fail()
  await expect(page.getByText('Your wish list was not saved.')).toBeVisible()
  await page.unroute(wants)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(item(page, 'seeds', 1)).toHaveValue('Blue poppy seed')
  await save(page)
  await expect(page).toHaveURL('/my-listings?tab=want')
  await expect(page.getByText('Your wish list was not saved.')).toHaveCount(0)

  // A save whose response is lost is repeated without storing the wants twice.
  await page.route(wants, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('link', { name: 'Add wanted items' }).click()
  await add(page, 'seeds').click()
  await item(page, 'seeds', 2).fill('Salsify')
  await save(page)
  await expect(page.getByText('Failed to save changes. Please try again.')).toBeInViewport()
  await page.unroute(wants)
  await save(page)
  await expect(page).toHaveURL('/my-listings?tab=want')
  saved.push('Blue poppy seed', 'Salsify')
  expect(await titles(ann)).toEqual(saved)

  // A double tap deletes one row, not the next one that moves under the finger.
  await page.getByRole('button', { name: 'Delete Plant 1' }).dblclick({ delay: 100 })
  await expect(page.getByText('Plant 1')).toHaveCount(0)
  expect(await titles(ann)).toEqual(saved.slice(1))
})

test('failures to load or delete wants are shown, and loading can be tried again', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('403', '500', 'Deleting a want failed')
  const wants = '**/api/listings/want-listings*'
  await page.route(wants, (route) => route.fulfill({ status: 403 }))
  await page.goto('/my-listings?tab=want')
  await expect(page.getByRole('main').getByText('No items in wishlist.')).toBeVisible()
  await want(ann, { title: 'Ulluco, any kind', category_id: categories.produce })
  await page.goto('/post-want')
  await item(page, 'plants', 1).fill('Rhubarb crown')
  await page.goto(`/seller/${ann.actor.id}?tab=want`)
  await expect(page.getByText('Failed to fetch data. Please try again later.')).toBeVisible()

  await page.goto('/my-listings?tab=want')
  await clickTryAgain(page, wants)
  await expect(page.getByText('Ulluco, any kind')).toBeVisible()

  await page.route('**/api/listings/want-listings/*', (route) => route.fulfill({ status: 500 }))
  await page.getByRole('button', { name: 'Delete Ulluco, any kind' }).click()
  await expect(page.getByText('Not deleted. Please try again.', { exact: true })).toBeVisible()
  await expect(page.getByText('Ulluco, any kind', { exact: false }).first()).toBeVisible()
  expect(await titles(ann)).toEqual(['Ulluco, any kind'])
})

test('wants are typed into one box, and found in the category that they name', async ({ world }) => {
  const { page, actor } = await world.member('ann')
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/post-want')
    const box = page.getByRole('textbox', { name: 'What do you want?' })
    const title = `${size.width} tomato seeds`
    await box.fill(title)
    await box.press('Enter')
    await expect(page.getByRole('combobox', { name: `Category of ${title}` })).toHaveValue('seeds')
    await expect(box).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'save' }).click()
    await expect(page).toHaveURL('/my-listings?tab=want')
    expect(await actor.call(listWants, { query: {} })).toContainEqual(
      expect.objectContaining({ title, category_id: categories.seeds }),
    )
  }
})
