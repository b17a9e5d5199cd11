import type { Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { photo } from '#test/pictures.ts'
import { insertListings } from './database.ts'
import { clickTryAgain, cutSockets, expect, expectAccessible, test } from './fixtures.ts'
import { card, list, newFriends } from './market.ts'

/** Scrolls until the card is visible. Other tests post to the same marketplace. */
async function scrollToCard(page: Page, title: string) {
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(card(page, title)).toBeVisible({ timeout: 300 })
  }).toPass()
}

test('a member finds a listing with a photo in the marketplace, and opens it and its owner', async ({
  world,
}) => {
  const [{ actor, username }, { page: bob }] = [await world.account('ann'), await world.member('bob')]
  const title = `Cherokee Purple tomatoes of ${username}`
  await actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
  await actor.call(createListing, {
    body: {
      title,
      price: 4,
      category_id: categories.produce,
      description: 'Two pounds to the bag.\n\nPick up after six.',
    },
    file: await photo({ width: 640, height: 480 }),
  })

  await bob.goto('/listings')
  await expect(bob.getByRole('heading', { name: 'marketplace' })).toBeVisible()
  await scrollToCard(bob, title)
  await expect(card(bob, title)).toContainText('$4')
  await expect(card(bob, title)).toContainText(username)
  await card(bob, title).click()

  await expect(bob.getByRole('heading', { name: title })).toBeFocused()
  await expect(bob).toHaveTitle(`${title} · Rhubarb`)
  await expect(bob.getByText('$4', { exact: true }).first()).toBeVisible()
  await expect(bob.getByText('produce', { exact: true })).toBeVisible()
  await expect(bob.getByRole('main').getByText('public', { exact: true })).toBeVisible()
  await expect(bob.getByText('Portland, OR 97214')).toBeVisible()
  await expect(bob.getByText('Pick up after six.', { exact: true })).toBeVisible()
  const shown = bob.getByRole('img', { name: title })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
  await expect(shown).toHaveJSProperty('complete', true)

  await bob.getByRole('link', { name: username, exact: true }).click()
  await expect(bob.getByRole('heading', { name: `@${username}` })).toBeVisible()
  await expect(bob.getByText('Portland, OR', { exact: true })).toBeVisible()
  await expect(bob.getByText('0 friends')).toBeVisible()
  await expect(card(bob, title)).toBeVisible()
})

test.describe('the marketplace', () => {
  test('filters by category and keeps the category in the address', async ({ world }) => {
    const ann = await world.account('ann')
    const tag = world.uniqueName('of')
    await list(ann, { title: `Kale ${tag}`, category_id: categories.produce })
    await list(ann, { title: `Poppy seed ${tag}`, category_id: categories.seeds, type_id: types.exchange })
    const { page } = await world.member('bob')
    await page.goto('/listings')
    await scrollToCard(page, `Kale ${tag}`)
    await expect(card(page, `Kale ${tag}`)).toContainText('giveaway')
    await expect(card(page, `Poppy seed ${tag}`)).toContainText('exchange')

    const seeds = page.getByRole('button', { name: 'seeds' })
    await seeds.click()
    await expect(page).toHaveURL('/listings?category=seeds')
    await expect(seeds).toHaveAttribute('aria-pressed', 'true')
    await expect(card(page, `Kale ${tag}`)).toHaveCount(0)
    await expect(card(page, `Poppy seed ${tag}`)).toBeVisible()
    await page.reload()
    await expect(seeds).toHaveAttribute('aria-pressed', 'true')

    await seeds.click()
    await expect(page).toHaveURL('/listings')
    await scrollToCard(page, `Kale ${tag}`)

    // A chip is marked at once, and two quick taps both count.
    const marked = await seeds.evaluate(async (button: HTMLElement) => {
      const others = Array.from(button.parentElement?.querySelectorAll('button') ?? [])
      button.click()
      for (let turns = 0; turns < 10; turns += 1) await null
      const { ariaPressed } = button
      others.find(({ textContent }) => textContent === 'produce')?.click()
      return ariaPressed
    })
    expect(marked).toBe('true')
    await expect(page).toHaveURL('/listings?category=produce')
    await expect(page.getByRole('button', { name: 'produce' })).toHaveAttribute('aria-pressed', 'true')
    await page.goBack()
    await expect(page).toHaveURL('/listings?category=seeds')
    await expect(card(page, `Kale ${tag}`)).toHaveCount(0)
    await expect(seeds).toHaveAttribute('aria-pressed', 'true')
  })

  test('shows when friends have no listings, with a link to the public ones', async ({ world }) => {
    const { page } = await world.member('ann')
    await page.goto('/listings')
    await page.getByRole('link', { name: "Friend's" }).click()
    await expect(page).toHaveURL('/listings?tab=friends')
    await expect(
      page.getByRole('main').getByText('No listings from friends yet. Check out the public listings!'),
    ).toBeVisible()

    await page.getByRole('button', { name: 'plants' }).click()
    await expect(
      page.getByRole('main').getByText('No plants listings available at the moment.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'plants' }).click()
    await expect(page.getByRole('main').getByText('No listings from friends yet.')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Public' }).last().click()
    await expect(page).toHaveURL('/listings')
  })

  test('loads three more pages on scrolling, so that the footer is in reach, and others at a press, and Back restores the scroll position', async ({
    world,
  }) => {
    const [ann, bob] = await newFriends(world)
    await insertListings(ann, 'Marrow', 121, { is_public: false })
    const { page } = bob
    // Events of the socket would refetch the list.
    await cutSockets(page, 'does not answer')
    await page.goto('/listings?tab=friends')
    const cards = page.getByRole('main').getByRole('listitem')
    await scrollToCard(page, 'Marrow 26')
    await expect(cards).toHaveCount(96)

    const footer = page.getByRole('contentinfo')
    await footer.scrollIntoViewIfNeeded()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await expect(footer).toBeInViewport()
    await expect(cards).toHaveCount(96)

    await cards.last().getByRole('link').focus()
    await page.keyboard.press('Tab')
    const more = page.getByRole('button', { name: 'More listings' })
    await expect(more).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(footer.getByRole('link').first()).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(cards).toHaveCount(120)
    await expect(cards.nth(96).getByRole('link')).toBeFocused()
    await expect(async () => {
      await page.mouse.wheel(0, 4000)
      await expect(cards).toHaveCount(121, { timeout: 300 })
    }).toPass()

    await test.step('Back restores the scroll position', async () => {
      const marrow = card(page, 'Marrow 26')
      await marrow.scrollIntoViewIfNeeded()
      const before = await marrow.boundingBox()
      await marrow.click()
      await expect(page.getByRole('heading', { name: 'Marrow 26' })).toBeVisible()
      await page.getByRole('link', { name: 'Back' }).click()
      await expect(marrow).toBeInViewport()
      await expect.poll(() => marrow.boundingBox()).toEqual(before)
    })
  })

  test('restores the loaded pages and the scroll position on Back after a reload, before the list is fetched again', async ({
    world,
  }) => {
    const [ann, bob] = await newFriends(world)
    await insertListings(ann, 'Marrow', 80, { is_public: false })
    const { page } = bob
    await cutSockets(page, 'does not answer')
    await page.goto('/listings?tab=friends')
    await scrollToCard(page, 'Marrow 11')
    const marrow = card(page, 'Marrow 11')
    await marrow.scrollIntoViewIfNeeded()
    const before = await marrow.boundingBox()
    await marrow.click()
    await expect(page.getByRole('heading', { name: 'Marrow 11' })).toBeVisible()
    await list(ann, { title: 'Fresh courgette', is_public: false })
    // Half a minute later the list is stale.
    await page.addInitScript(() => {
      const now = Date.now
      Date.now = () => now() + 60_000
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Marrow 11' })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    const lists = Promise.withResolvers<void>()
    await page.route(/\/api\/listings\?/, (route) => lists.promise.then(() => route.continue()))
    await page.goBack()
    await expect(marrow).toBeInViewport()
    await expect.poll(() => marrow.boundingBox()).toEqual(before)
    lists.resolve()
    await expect(card(page, 'Fresh courgette')).toHaveCount(1)
    await expect(marrow).toHaveCount(1)
  })

  test('loads more listings by a button where IntersectionObserver reports nothing', async ({ world }) => {
    const [ann, bob] = await newFriends(world)
    await insertListings(ann, 'Apple', 30, { is_public: false })
    const { page, allowErrors } = bob
    allowErrors('403')
    await page.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        override observe() {}
      }
    })
    // Without a socket nothing refetches the list meanwhile, which would replace 'Try again' with 'More listings'.
    await cutSockets(page, 'does not answer')
    await page.goto('/listings?tab=friends')
    const cards = page.getByRole('main').getByRole('listitem')
    await expect(cards).toHaveCount(24)

    await page.route(/cursor=/, (route) => route.fulfill({ status: 403 }))
    await page.getByRole('button', { name: 'More listings' }).click()
    await expect(page.getByText('Failed to fetch listings. Please try again later.')).toBeVisible()
    await expect(cards).toHaveCount(24)
    await clickTryAgain(page, /cursor=/)
    await expect(cards).toHaveCount(30)
    await expect(cards.nth(24).getByRole('link')).toBeFocused()
  })
})

test.describe('the seller screen', () => {
  test('shows when there are no listings, no location or no such member', async ({ world }) => {
    const ann = await world.account('ann')
    const { page, allowErrors } = await world.member('bob')
    allowErrors('404')
    await page.goto(`/seller/${ann.actor.id}`)
    await expect(page.getByRole('main').getByText('No items')).toBeVisible()
    await expect(page.getByText('Location not specified')).toBeVisible()
    await expectAccessible(page)
    // screens.ts has the unknown id of a member.
    await page.goto('/seller/nobody')
    await expect(page.getByRole('main').getByText('User not found')).toBeVisible()
  })

  test('marks active listings by a border for their owner', async ({ world }) => {
    const ann = await world.member('ann')
    for (const is_active of [true, false])
      await ann.actor.call(createListing, {
        body: { title: is_active ? 'Kale' : 'Leeks', type_id: types.giveaway, is_active },
      })
    await ann.page.goto(`/seller/${ann.actor.id}`)
    const picture = (title: string) => card(ann.page, title).locator(':scope > h2 + *')
    await expect(picture('Kale')).toHaveCSS('border-style', 'solid')
    await expect(picture('Leeks')).toHaveCSS('border-style', 'none')
  })
})

test('a wide window shows the open filter and four or five columns of listings', async ({ world }) => {
  const { page, actor } = await world.member('ann')
  await actor.call(createListing, { body: { title: 'Leeks', type_id: types.giveaway } })
  const card = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
  const columns = () =>
    card.first().evaluate(({ parentElement }) => {
      const list = parentElement ?? document.body
      return getComputedStyle(list).gridTemplateColumns.split(' ').length
    })
  const widths = [
    [1440, 4],
    [1920, 5],
  ] as const
  for (const [width, count] of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/listings')
    const filter = page.getByRole('form', { name: 'Filter listings' })
    await filter.getByRole('radio', { name: 'oldest' }).check()
    await filter.getByRole('button', { name: 'save' }).click()
    await expect(page).toHaveURL('/listings?sort=oldest')
    await expect(filter.getByRole('radio', { name: 'oldest' })).toBeChecked()
    await expect.poll(columns).toBe(count)
    await expectAccessible(page)
  }
  await actor.call(updateProfile, { body: { zip_code: '97214' } })
  for (const [width, count] of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/listings')
    await expect(page.getByRole('complementary', { name: 'Listings by area' })).toBeVisible()
    await expect.poll(columns).toBe(count)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible()
})
