import {
  apiBase,
  categories,
  defaultPriceRange,
  image,
  limits,
  loginLifetimeMs,
  pollMs,
  reconnectMs,
  resetRedirectMs,
  types,
} from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, once, test } from './fixtures.ts'

/** Section 9 of the specification. What a number does is seen where it does it; here they are the agreed ones. */
const agreed = [
  ['API base path', apiBase, '/api'],
  ['Login lifetime', loginLifetimeMs, 604_800_000],
  ['Unread count poll', pollMs.unreadCount, 30_000],
  ['Thread list poll', pollMs.threads, 5000],
  ['Categories', categories, { produce: 1, seeds: 2, plants: 3 }],
  ['Types', types, { sell: 1, exchange: 2, giveaway: 3 }],
  ['Default price range', defaultPriceRange, { min: 0, max: 100 }],
  ['Title minimum', limits.title.min, 3],
  ['Description maximum', limits.description, 1000],
  ['Want items in a category', limits.want.perCategory, 5],
  ['Want minimum', limits.want.min, 3],
  ['Postcode minimum', limits.postcode.min, 5],
  ['Password minimum', limits.password.min, 8],
  ['Username minimum', limits.username.min, 3],
  ['Image limit', image.prepared.maxBytes, 3 * 1024 * 1024],
  ['Longest side of an image', image.prepared.longestSide, 1920],
  ['Quality of an image', image.prepared.quality, { start: 0.9, step: 0.1, floor: 0.2 }],
  ['Redirect after successful reset', resetRedirectMs, 2000],
  ['Realtime reconnect', reconnectMs, { first: 1000, longest: 5000, timeout: 20_000 }],
] as const

test('the numbers are the agreed ones', once, () => {
  for (const [name, here, there] of agreed) expect.soft(here, name).toEqual(there)
})

test('a listing, the lists and the filter start as agreed', once, async ({ garden }) => {
  const { page, actor } = await garden.member('ann')
  expect(await actor.call(createListing, { body: { title: 'Sungold tomatoes', price: 3 } })).toMatchObject({
    type_id: types.sell,
    state_id: 1,
    is_public: true,
    is_active: true,
  })
  await page.goto('/my-listings')
  await expect(page.getByRole('link', { name: 'Have' })).toHaveAttribute('aria-current', 'page')

  await page.goto('/listings/new')
  const price = page.getByLabel('Price')
  await expect(price).toHaveAttribute('min', '1')
  await expect(price).toHaveAttribute('step', '1')
  await expect(page.getByLabel('Type')).toHaveValue('1')
  await expect(page.getByLabel('publish the post to public')).toBeChecked()

  await page.goto('/listings')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByLabel('min')).toHaveValue('0')
  await expect(page.getByLabel('max')).toHaveValue('100')
})

test(
  'without a connection the messages are asked for every 5 seconds, their number every 30',
  once,
  async ({ garden }) => {
    const { page } = await garden.member('ann')
    await page.clock.install()
    await page.routeWebSocket('**/socket.io/**', () => undefined)
    const asked = { '/api/messages/threads': 0, '/api/messages/unread-count': 0 }
    for (const address of Object.keys(asked) as (keyof typeof asked)[])
      await page.route(`**${address}*`, (route) => {
        asked[address] += 1
        return address.endsWith('count') ? route.fulfill({ json: 100 }) : route.continue()
      })
    await page.goto('/messages')
    await expect(page.getByText('No conversations found.')).toBeVisible()
    const nav = page.getByRole('navigation', { name: 'Main' })
    await expect(nav.getByText('99+')).toBeVisible()
    await expect(nav.getByRole('link', { name: 'message' })).toContainText('100 unread')

    const before = { ...asked }
    const since = (address: keyof typeof asked) => asked[address] - before[address]
    await page.clock.fastForward(pollMs.threads)
    await expect.poll(() => since('/api/messages/threads')).toBeGreaterThanOrEqual(1)
    await page.clock.fastForward(pollMs.unreadCount - pollMs.threads)
    await expect.poll(() => since('/api/messages/unread-count')).toBeGreaterThanOrEqual(1)
  },
)
