import type { Page } from '@playwright/test'
import { uploadProfileImage } from '#contract/auth.ts'
import { categories, limits, types } from '#contract/constants.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { createWant } from '#contract/wants.ts'
import { type Account, expect, expectAccessible, long, navigate, test } from './fixtures.ts'
import { expectShown } from './screens.ts'

const cards = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('heading')
const filter = (page: Page) => page.getByRole('button', { name: 'Filter' })
const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const sort = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

/** Posts a listing through the API, by default a public giveaway. */
function list({ actor }: Account, listing: Partial<Listing> & { title: string }): Promise<Listing> {
  const { title, price, type_id = types.giveaway, category_id, description } = listing
  return actor.call(createListing, { body: { title, price, type_id, category_id, description } })
}

const livesIn = ({ actor }: Account, postcode: string) =>
  actor.call(uploadProfileImage, { body: { city: 'Portland', state: 'OR', postcode } })

test('the market can be searched, filtered and sorted, and its URL shows another member the same', async ({
  world,
}) => {
  const ann = await world.account('ann')
  // A unique word keeps out the listings of other tests.
  const word = world.uniqueName('crop').replace('_', '')
  await list(ann, { title: `${word} tomatoes`, type_id: types.sell, price: 4 })
  await list(ann, { title: `${word} peppers`, type_id: types.sell, price: 120 })
  await list(ann, { title: `${word} lemons`, type_id: types.exchange })
  await list(ann, { title: `${word} poppy seed`, category_id: categories.seeds })
  const { page } = await world.member('bob')
  await page.goto('/listings')

  const search = page.getByRole('searchbox', { name: 'Search listings' })
  await search.fill(`${word} tomato`)
  await expect(cards(page)).toHaveText([`${word} tomatoes`])
  await search.fill(word)
  await expect(page).toHaveURL(`/listings?q=${word}`)
  await expect(cards(page)).toHaveCount(4)

  await filter(page).click()
  const dialog = page.getByRole('dialog', { name: 'Filter listings' })
  await expect(dialog.getByLabel('min')).toHaveValue('0')
  await expect(dialog.getByLabel('max')).toHaveValue('100')
  await expect(dialog.getByText('$100 and more')).toBeVisible()
  await sort(page, 'highest').click()
  await chip(page, 'sell').click()
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(cards(page)).toHaveText([`${word} peppers`, `${word} tomatoes`])
  await expect(filter(page)).toContainText('(2)')
  await expect(page).toHaveURL(`/listings?q=${word}&sort=highest&show=sell`)

  // The URL opens the same result for another member.
  const { page: other } = await world.member('cat')
  await other.goto(page.url())
  await expect(cards(other)).toHaveText([`${word} peppers`, `${word} tomatoes`])

  // The fields take digits only, and an invalid range is explained.
  await filter(page).click()
  await dialog.getByLabel('max').fill('$50.00 or so')
  await expect(dialog.getByLabel('max')).toHaveValue('50')
  await dialog.getByLabel('min').fill('60')
  await expect(dialog.getByRole('alert')).toHaveText('The lowest price must not be above the highest')
  await expect(dialog.getByLabel('min')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('max')).toHaveAccessibleDescription(/The lowest price must not be above/)
  await expect(dialog.getByRole('button', { name: 'save' })).toBeDisabled()
  await dialog.getByLabel('min').fill('0')
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(cards(page)).toHaveText([`${word} tomatoes`])

  await page.goBack()
  await expect(cards(page)).toHaveText([`${word} peppers`, `${word} tomatoes`])
  await filter(page).click()
  await dialog.getByRole('button', { name: 'reset' }).click()
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(cards(page)).toHaveCount(4)
  await chip(page, 'seeds').click()
  await expect(cards(page)).toHaveText([`${word} poppy seed`])

  await search.fill(`${word} nothing of the kind at all`)
  await expect(page.getByRole('main').getByText('Nothing here fits what you look for.')).toBeVisible()
  await expectAccessible(page)
  // A search without results leads to the want list.
  await page.getByRole('link', { name: 'Add it to your wish list' }).click()
  const want = page.getByRole('textbox', { name: 'seeds, item 1' })
  await expect(want).toHaveValue(`${word} nothing of the kind at all`)
  await expect(want).toBeFocused()
  await page.goBack()
  await page.getByRole('link', { name: 'Show all listings' }).click()
  await expect(page).toHaveURL('/listings?category=seeds')
  await expect(search).toHaveValue('')

  const words = 'k'.repeat(limits.query.max)
  await search.fill(words)
  await expect(page).toHaveURL(`/listings?category=seeds&q=${words}`)
  await expectShown(page, 'Nothing here fits what you look for.')
})

test('a member with a postcode filters listings by distance and sorts them by nearest', async ({ world }) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  const word = world.uniqueName('near').replace('_', '')
  await livesIn(ann, '97214')
  await livesIn(bob, '97215')
  await livesIn(cat, '97401')
  await list(bob, { title: `${word} next door` })
  await list(cat, { title: `${word} far away` })
  const { page } = ann
  await page.goto(`/listings?q=${word}`)
  await expect(cards(page)).toHaveCount(2)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/auth/profile', async (route) => {
    await held
    await route.continue()
  })
  await filter(page).click()
  const dialog = page.getByRole('dialog')
  // The filter offers distances before the profile is loaded.
  await dialog.getByLabel('Near me').selectOption('within 25 miles')
  await expect(sort(page, 'nearest')).toBeVisible()
  release()
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(cards(page)).toHaveText([`${word} next door`])
  await expect(page.getByText('under 5 miles')).toBeVisible()

  await page.goto(`/listings?q=${word}&sort=nearest`)
  await expect(cards(page)).toHaveText([`${word} next door`, `${word} far away`])
})

test('the profile and a search by distance name the postal code that is not known', async ({ world }) => {
  const { page, actor, allowErrors } = await world.member('ann')
  await actor.call(updateProfile, { body: { zip_code: '00000' } })
  allowErrors(/status of 422.*listings/)
  for (const path of ['/profile', '/listings?near=25']) {
    await page.goto(path)
    await expect(
      page.getByRole('paragraph').filter({ hasText: 'We do not know the postal code 00000.' }),
    ).toBeVisible()
  }
})

test('a search by distance asks a member without a location for the postcode', async ({ world }) => {
  const word = world.uniqueName('unknown').replace('_', '')
  await list(await world.account('ann'), { title: `${word} pears` })
  const { page, allowErrors } = await world.member('bob')
  allowErrors(/status of 422.*listings/)
  for (const query of ['near=25', 'sort=nearest']) {
    await page.goto(`/listings?q=${word}&${query}`)
    await expect(page.getByRole('main').getByText('We do not know where you are.')).toBeVisible()
    await expect(cards(page)).toHaveCount(0)
    if (query === 'near=25') await expectAccessible(page)
    await page.getByRole('link', { name: 'Show listings anywhere' }).click()
    await expect(cards(page)).toHaveText([`${word} pears`])
  }
  await page.goBack()
  await page.getByRole('link', { name: 'Add your postcode' }).click()
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('State').fill('OR')
  await page.getByLabel('Postcode').fill('97214')
  await page.getByRole('button', { name: 'Next >' }).click()
  await expect(page).toHaveURL(`/listings?q=${word}&sort=nearest`)
  await expect(page.getByRole('main').getByText('Nothing here fits what you look for.')).toBeVisible()
})

test('adding a postcode from the filter returns to the unsaved filter', async ({ world }) => {
  const { page } = await world.member('dan')
  const dialog = page.getByRole('dialog', { name: 'Filter listings' })
  const max = page.getByLabel('max')
  const addPostcode = dialog.getByRole('link', { name: 'Add your postcode' })
  await page.goto('/listings?q=figs&show=sell')
  await filter(page).click()
  await sort(page, 'oldest').click()
  await max.fill('20')
  await addPostcode.click()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeVisible()
  await expect(sort(page, 'oldest')).toBeChecked()
  await expect(chip(page, 'sell')).toHaveAttribute('aria-pressed', 'true')
  await expect(max).toHaveValue('20')
  // The list behind the dialog has the saved filter.
  await expect(filter(page)).toContainText('(1)')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/listings?q=figs&show=sell')

  await filter(page).click()
  await max.fill('30')
  await addPostcode.click()
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('State').fill('OR')
  await page.getByLabel('Postcode').fill('97214')
  await page.getByRole('button', { name: 'Next >' }).click()
  await expect(max).toHaveValue('30')
  await dialog.getByLabel('Near me').selectOption('within 25 miles')
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(page).toHaveURL('/listings?q=figs&show=sell&max=30&near=25')
  await expect(dialog).toHaveCount(0)

  const { page: other } = await world.member('eve')
  await other.goto('/filter-page?q=figs')
  await chip(other, 'exchange').click()
  await sort(other, 'lowest').click()
  await other.getByRole('link', { name: 'Add your postcode' }).click()
  await other.getByRole('link', { name: 'Back to where you were' }).click()
  await expect(sort(other, 'lowest')).toBeChecked()
  await expect(chip(other, 'exchange')).toHaveAttribute('aria-pressed', 'false')
  await other.getByRole('button', { name: 'save' }).click()
  await expect(other).toHaveURL('/listings?q=figs&sort=lowest')
})

test('the filter page saves a filter for the marketplace and keeps its other search parameters', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.goto('/filter-page')
  const save = page.getByRole('button', { name: 'save' })
  await expect(chip(page, 'exchange')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('min')).toHaveValue('0')
  await expect(save).toBeDisabled()
  await sort(page, 'oldest').click()
  await page.getByLabel('max').fill('20')
  await save.click()
  await expect(page).toHaveURL('/listings?sort=oldest&show=exchange&max=20')

  // The page starts from the filter in its address.
  await page.goto('/filter-page?tab=friends&category=seeds&q=beans&sort=lowest&max=9')
  await expect(sort(page, 'lowest')).toBeChecked()
  await expect(chip(page, 'exchange')).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByLabel('max')).toHaveValue('9')
  await expect(save).toBeDisabled()
  await page.getByLabel('min').fill('2 dollars')
  await expect(page.getByLabel('min')).toHaveValue('2')
  await save.click()
  await expect(page).toHaveURL('/listings?tab=friends&category=seeds&q=beans&sort=lowest&min=2&max=9')
})

test('a list loads the next page after an empty one', async ({ world }) => {
  const ann = await world.account('ann')
  const word = world.uniqueName('late').replace('_', '')
  for (const crop of ['leeks', 'quinces']) {
    await list(ann, { title: `${word} ${crop}` })
    await ann.actor.call(createWant, { body: { title: `${word} ${crop}` } })
  }
  const { page } = await world.member('bob')
  for (const [path, calls] of [
    [`/have-want-search?tab=want&q=${word}`, '**/want-listings/search?*'],
    [`/seller/${ann.actor.id}`, '**/api/listings?*'],
  ] as const) {
    await page.route(calls, async (route) => {
      const first = new URL(route.request().url())
      if (first.searchParams.has('cursor')) return route.continue()
      first.searchParams.set('limit', '1')
      const { link = '' } = (await route.fetch({ url: first.href })).headers()
      return route.fulfill({ json: [], headers: { link } })
    })
    await page.goto(path)
    await expect(page.getByRole('link', { name: `${word} leeks` })).toBeVisible()
  }
})

test('the search screens find listings, wants and members', async ({ world }) => {
  const ann = await world.account('ann')
  const word = world.uniqueName('want').replace('_', '')
  await list(ann, { title: `${word} leeks`, category_id: categories.produce })
  await ann.actor.call(createWant, { body: { title: `${word} quinces`, category_id: categories.produce } })
  const { page } = await world.member('bob')
  await page.goto('/have-want-search')
  const tabs = page.getByRole('navigation', { name: 'What is searched' })
  await page.getByRole('searchbox').fill(word)
  await expect(cards(page)).toHaveText([`${word} leeks`])
  await chip(page, 'plants').click()
  await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add it to your wish list' })).toHaveAttribute(
    'href',
    `/post-want?q=${word}&category=plants`,
  )
  await chip(page, 'plants').click()

  await tabs.getByRole('link', { name: 'wish lists' }).click()
  const found = page.getByRole('link', { name: `${word} quinces` })
  await expect(found).toContainText(`wanted by ${ann.username}`)
  await chip(page, 'plants').click()
  await expect(page.getByRole('main').getByText('Nobody wants this at the moment.')).toBeVisible()
  await chip(page, 'produce').click()
  await found.click()
  await expect(page).toHaveURL(`/seller/${ann.actor.id}?tab=want`)

  await page.goto('/friend-search')
  await page.getByRole('searchbox', { name: 'Search by username' }).fill(ann.username.slice(0, 10))
  await expect(page.getByRole('link', { name: ann.username })).toBeVisible()
  await page.getByRole('searchbox').fill('nobody_at_all_has_this')
  await expect(page.getByRole('main').getByText('No members found.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invite a neighbor' })).toBeVisible()
  await page.getByRole('link', { name: "friend's" }).click()
  await expect(page).toHaveURL('/listings?q=nobody_at_all_has_this&tab=friends')
})

test('the search screens are reached from the marketplace and the friends, and their tabs add a listing or lead home', async ({
  world,
}) => {
  const { page } = await world.member('bob')
  const add = page.getByRole('navigation', { name: 'What to add' })
  await page.goto('/listings?q=figs&category=plants')
  await page.getByRole('link', { name: 'Search wish lists and members' }).click()
  await expect(page).toHaveURL('/have-want-search?q=figs&category=plants')
  await expect(page.getByRole('searchbox', { name: 'Search listings' })).toHaveValue('figs')
  await expectAccessible(page)
  await add.getByRole('link', { name: 'Have' }).click()
  await expect(page).toHaveURL('/listings/new')

  await page.goto('/myfriends')
  await page.getByRole('link', { name: 'Search members' }).click()
  await expect(page).toHaveURL('/friend-search')
  await expect(page.getByRole('searchbox', { name: 'Search by username' })).toBeVisible()
  await add.getByRole('link', { name: 'Want' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/friend-search')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/myfriends')
})

test('messages without a conversation lead to the marketplace and to members', async ({ world }) => {
  const { page } = await world.member('bob')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [name, url] of [
    ['Go to the marketplace', '/listings'],
    ['Search members', '/friend-search'],
  ] as const) {
    await page.goto('/messages')
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(url)
  }
  await page.goto('/messages?q=nobody')
  await expectShown(page, 'No conversations found.')
  await expect(page.getByRole('link', { name: 'Go to the marketplace' })).toBeHidden()
  // A wide window has the next step once, beside the list.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/messages')
  await expect(page.getByRole('link', { name: 'Go to the marketplace' })).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Search members' })).toBeHidden()
})

test('a search keeps what is typed, and has its words in the address', async ({ world }) => {
  const { page } = await world.member('bob')

  await test.step('Back after a search shows the words of its own address', async () => {
    await page.goto('/listings?q=figs')
    await page.getByRole('link', { name: "Friend's" }).click()
    await expect(page).toHaveURL('/listings?tab=friends&q=figs')
    const search = page.getByRole('searchbox')
    await search.fill('plums')
    await expect(page).toHaveURL('/listings?tab=friends&q=plums')
    await expect(search).toHaveValue('plums')
    await page.goBack()
    await expect(search).toHaveValue('figs')
    await expect(page).toHaveURL('/listings?q=figs')
    await page.goForward()
    await expect(search).toHaveValue('plums')
  })

  await test.step('a search keeps what is typed while its results load', async () => {
    await page.goto('/messages')
    const search = page.getByRole('searchbox')
    await search.fill('fi')
    await expect(page).toHaveURL('/messages?q=fi')
    // A phone that paints slowly. The screen follows the address after a paint.
    await page.evaluate(() => {
      window.requestAnimationFrame = (callback) => window.setTimeout(callback, 300)
    })
    await search.press('g')
    await page.waitForURL('/messages?q=fig')
    await search.press('s')
    await expect(page).toHaveURL('/messages?q=figs')
    await expect(search).toHaveValue('figs')
  })
})

test('every search takes as many characters as its box', long, async ({ world }) => {
  const words = 'k'.repeat(limits.query.max)
  const { page } = await world.member('bob')
  await page.goto('/profile')
  for (const [path, box, empty] of [
    ['/listings', 'Search listings', 'Nothing here fits what you look for.'],
    ['/have-want-search', 'Search listings', 'No listings found.'],
    ['/friend-search', 'Search by username', 'No members found.'],
    ['/have-want-search?tab=want', 'Search wish lists', 'Nobody wants this at the moment.'],
    ['/myfriends', 'Search by username', 'No friends found.'],
    ['/messages', 'Search messages', 'No conversations found.'],
  ] as const) {
    await navigate(page, path)
    await page.getByRole('searchbox', { name: box }).fill(words)
    await expect(page).toHaveURL(new RegExp(`q=${words}`))
    await expectShown(page, empty)
  }
})
