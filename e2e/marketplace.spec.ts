import type { Locator, Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { createListing, deleteListing, type Listing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { photo } from '#test/pictures.ts'
import { insertListings } from './database.ts'
import {
  type Account,
  clickTryAgain,
  cutSockets,
  desktop,
  expect,
  expectAccessible,
  phone,
  test,
  type World,
} from './fixtures.ts'
import { befriend } from './sample-data.ts'

const card = (page: Page, title: string) => page.getByRole('link', { name: title })

/** Scrolls until the card is visible. Other tests post to the same marketplace. */
async function scrollToCard(page: Page, title: string) {
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(card(page, title)).toBeVisible({ timeout: 300 })
  }).toPass()
}

/** Posts a listing through the API, by default a public giveaway. */
function list({ actor }: Account, listing: Partial<Listing> & { title: string }): Promise<Listing> {
  const { title, price, type_id = types.giveaway, category_id, description, is_public } = listing
  return actor.call(createListing, { body: { title, price, type_id, category_id, description, is_public } })
}

/** Leaves later requests for lists of listings pending, so that the page keeps showing a deleted listing. */
const holdLists = (page: Page) => page.route(/\/api\/listings\?/, () => {})

/** Registers two friends. Only their own listings are in the market of friends. */
async function newFriends(world: World) {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  await befriend(ann, bob)
  return [ann, bob] as const
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

test.describe('a listing', () => {
  test('without a photo shows a drawing of its crop, and texts for all that is missing', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons', category_id: categories.produce })
    const { page } = await world.member('bob')
    await page.goto(`/listings/${id}`)
    await expect(page.getByRole('main').locator('article img').first()).toHaveAttribute(
      'src',
      /lemon.*\.svg$/,
    )
    await expect(page.getByText('No description provided')).toBeVisible()
    await expect(page.getByText('Location not provided')).toBeVisible()
    await expect(page.getByText(`No. ${id}`)).toBeVisible()

    await page.route(`**/api/listings/${id}`, async (route) => {
      const listing = await (await route.fetch()).json()
      await route.fulfill({ json: { ...listing, owner_username: '' } })
    })
    await page.reload()
    await expect(page.getByText('Unknown user').first()).toBeVisible()
  })

  test('shows the link to write to its owner without scrolling, in every window size', async ({ world }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons', type_id: types.sell, price: 4 })
    const { page } = await world.member('bob')
    const write = page.getByRole('link', { name: `Write to ${ann.username}` })
    const photo = page.getByRole('main').locator('article img').first()
    await page.goto(`/listings/${id}`)
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [820, 1180],
      [640, 450],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(write).toBeInViewport({ ratio: 1 })
      const { height: shown = height } = (await photo.boundingBox()) ?? {}
      expect(shown, `${width} × ${height}`).toBeLessThanOrEqual(height * 0.6)
    }
    // The bar with the link does not cover a control that is scrolled to the lower edge.
    const seller = page.getByRole('link', { name: ann.username, exact: true })
    await seller.evaluate((link) => link.scrollIntoView({ block: 'end' }))
    const [sellerBox, writeBox] = [await seller.boundingBox(), await write.boundingBox()]
    expect((sellerBox?.y ?? 0) + (sellerBox?.height ?? 0)).toBeLessThanOrEqual(writeBox?.y ?? 0)
    await write.click()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeFocused()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeInViewport()

    await page.setViewportSize({ width: 1280, height: 900 })
    await expect(write).toBeHidden()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeVisible()
  })

  test('is shared by its link or by the Web Share API, and the dialog shows when the link can not be copied', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons' })
    const { page } = await world.member('bob')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/listings/${id}`)
    const share = page.getByRole('button', { name: 'share' })
    await share.click()
    const dialog = page.getByRole('dialog')
    const link = new URL(`/listings/${id}`, page.url()).href
    await expect(dialog.getByRole('textbox')).toHaveValue(link)
    // This browser has no Web Share API.
    await expect(dialog.getByRole('button', { name: 'Send with an app' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(share).toBeFocused()

    await share.click()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'))
    })
    await share.click()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(dialog).toContainText('Failed to copy link to clipboard')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.evaluate(() => {
      navigator.share = async ({ url }: ShareData = {}) => {
        if (document.body.hasAttribute('data-shared')) throw new DOMException('Closed', 'AbortError')
        document.body.setAttribute('data-shared', url ?? '')
      }
    })
    await share.click()
    await dialog.getByRole('button', { name: 'Send with an app' }).click()
    await expect(page.locator('body')).toHaveAttribute('data-shared', link)
    // Closing the share sheet returns to the dialog.
    await dialog.getByRole('button', { name: 'Send with an app' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })

  test('redirects to Page Not Found when it does not exist', async ({ world }) => {
    const ann = await world.account('ann')
    const { page, allowErrors } = await world.member('bob')
    allowErrors('404')
    const { id: gone } = await list(ann, { title: 'Meyer lemons' })
    await page.goto(`/seller/${ann.actor.id}`)
    await expect(card(page, 'Meyer lemons')).toBeVisible()
    await holdLists(page)
    await ann.actor.call(deleteListing, { params: { id: gone } })
    await card(page, 'Meyer lemons').click()
    await expect(page).toHaveURL('/not-found')
    for (const id of ['zucchini', '0']) {
      await page.goto(`/listings/${id}`)
      await expect(page).toHaveURL('/not-found')
      await expect(page.getByText('Page Not Found')).toBeVisible()
    }
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

test('a right-to-left title and description are aligned to the right', async ({ world }) => {
  const [ann, bob] = await newFriends(world)
  const title = 'עגבניות'
  const description = 'טעימות'
  const { id } = await list(ann, { title, description })
  /** Returns the distances in pixels of a text from the right and the left of its box. */
  const gaps = (text: Locator) =>
    text.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const [box, words] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
      return { right: Math.round(box.right - words.right), left: Math.round(words.left - box.left) }
    })
  const { page } = bob
  await page.goto(`/listings/${id}`)
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    for (const words of [
      page.getByRole('heading', { level: 1, name: title }),
      page.getByText(description, { exact: true }),
    ]) {
      const { right, left } = await gaps(words)
      expect(right).toBe(0)
      expect(left).toBeGreaterThan(50)
    }
  }
  await page.goto(`/seller/${ann.actor.id}`)
  const heading = page.getByRole('heading', { level: 2, name: title })
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    expect((await gaps(heading)).right).toBe(0)
  }
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
  for (const [width, count] of [
    [1440, 4],
    [1920, 5],
  ] as const) {
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
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible()
})
