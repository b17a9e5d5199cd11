import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { updateProfile } from '#contract/profile.ts'
import { acceptTrade, handOverTrade, listRings, listTrades } from '#contract/trades.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { befriend } from './sample-data.ts'
import { button, card, list, unfold, want } from './trading.ts'

test('three members accept a ring, which is drawn and put into words', async ({ world }) => {
  const [ann, ben, cat] = [await world.member('ann'), await world.member('ben'), await world.account('cat')]
  // Only public listings can be in a ring.
  const exchange = { type_id: types.exchange, is_public: true }
  await Promise.all([befriend(ann, ben), befriend(ben, cat), befriend(cat, ann)])
  for (const { actor } of [ann, ben, cat])
    await actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
  // No other test has these words: rings are found among all members.
  await Promise.all([
    want(ann, 'Loquats'),
    want(ann, 'Medlars'),
    want(ben, 'Tayberries'),
    want(cat, 'Jostaberries'),
  ])
  await list(ann, 'Jostaberries', exchange)
  await list(ben, 'Loquats', exchange)
  await list(ben, 'Medlars by the basket, as many as you like', exchange)
  const tayberries = await list(cat, 'Tayberries', exchange)
  await expect.poll(() => ann.actor.call(listRings)).toHaveLength(2)

  const { page } = ann
  await page.goto('/matches')
  const rings = page.getByRole('region', { name: '2 rings for you' })
  const [first, second] = [rings.locator('details').nth(0), rings.locator('details').nth(1)]
  await test.step('rings are drawn and put into words from the member on, and all but the first are folded', async () => {
    await expect(first.getByRole('listitem')).toHaveText([
      new RegExp(`^you give Jostaberries to ${cat.username}.* is on their list$`),
      new RegExp(`^${cat.username} gives Tayberries to ${ben.username}.* is on their list$`),
      new RegExp(
        `^${ben.username} gives (Loquats|Medlars by the basket, as many as you like) to you.* is on your list$`,
      ),
    ])
    await expect(first.locator('image')).toHaveCount(3)
    // A screen reader reads the words only: the drawing would name everyone once more.
    expect((await first.ariaSnapshot()).split(ben.username)).toHaveLength(3)
    await expect(second.getByRole('listitem').first()).toBeHidden()
    await unfold(second.locator('summary'))
    await expect(second.getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    const size = page.viewportSize()
    await setTextSize(page, '200%')
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoLayoutFaults(page, `rings at ${width} with text twice as large`)
    }
    await setTextSize(page, '')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoLayoutFaults(page, 'rings at 320')
    if (size !== null) await page.setViewportSize(size)
  })

  await button(first, 'propose it to all').click()
  await expect(page.getByRole('region', { name: /rings? for you/ })).toHaveCount(0)
  await test.step('a listing shows the ring to the member who would get it, and to no other', async () => {
    await page.goto(`/listings/${tayberries}`)
    await expect(button(page, 'I’d like this').filter({ visible: true })).toBeVisible()
    await ben.page.goto(`/listings/${tayberries}`)
    await expect(ben.page.getByRole('region', { name: 'My request' })).toContainText('Proposed to you')
  })

  await ben.page.goto('/notifications')
  await ben.page
    .getByRole('main')
    .getByRole('link', { name: /proposes a ring/ })
    .click()
  await expect(card(ben.page)).toContainText(`${ann.username} proposes a ring.`)
  await button(card(ben.page), 'accept').click()
  await expect(button(card(ben.page), 'accept')).toHaveCount(0)
  const [{ id, legs } = { id: 0, legs: [] }] = await cat.actor.call(listTrades, { query: {} })
  await cat.actor.call(acceptTrade, { params: { id } })

  const annGets = legs.find(({ taker_id }) => taker_id === ann.actor.id)?.listing.title
  await page.goto(`/messages/${ben.actor.id}`)
  await unfold(page.locator('summary'))
  await button(card(page), `I have it: ${annGets}`).click()
  await button(card(ben.page), 'I have it: Tayberries').click()
  for (const { giver_id, listing } of legs) {
    const giver = [ann, ben, cat].find(({ actor }) => actor.id === giver_id)
    await giver?.actor.call(handOverTrade, { params: { id }, body: { listing_id: listing.id } })
  }
  for (const each of [page, ben.page])
    await expect(card(each).getByText('done', { exact: true })).toBeVisible()
})

test('a giveaway is opened to rings in its forms, whose drafts remember the choice', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  const choice = page.getByLabel('open to rings')
  const read = async () => (await ann.actor.call(listListings, { query: { mine: 'true' } }))[0]
  await page.goto('/listings/new')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await page.getByLabel('Item name').fill('Quinces by the bag')
  for (const type of ['sell', 'exchange']) {
    await page.getByLabel('Type').selectOption(type)
    await expect(choice).toHaveCount(0)
  }
  await page.getByLabel('Type').selectOption('giveaway')
  await expect(choice).not.toBeChecked()
  await expect(choice).toHaveAccessibleDescription(/^In a ring, three or four members give/)
  await choice.check()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText('Your changes from before are back.')).toBeVisible()
  await expect(choice).toBeChecked()
  // The choice is kept when the type changes and changes back.
  await page.getByLabel('Type').selectOption('exchange')
  await page.getByLabel('Type').selectOption('giveaway')
  await expect(choice).toBeChecked()
  await button(page, 'post').click()
  await expect(page).toHaveURL('/my-listings')
  expect(await read()).toMatchObject({ type_id: types.giveaway, open_to_rings: true })

  await page.getByRole('link', { name: 'Quinces by the bag', exact: true }).click()
  await page.getByRole('link', { name: 'edit' }).click()
  await expect(choice).toBeChecked()
  await choice.uncheck()
  await page.reload()
  await expect(choice).not.toBeChecked()
  await button(page, 'save').click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  expect(await read()).toMatchObject({ open_to_rings: false })
})

test("a listing form shows the server's error about rings, and restores a draft without a field that is not valid", async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('422')
  await page.goto('/listings/new')
  await page.route('**/api/listings', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: {
            detail: 'Not valid',
            errors: [{ field: 'open_to_rings', message: 'Is it open to rings?' }],
          },
        })
      : route.fallback(),
  )
  await page.getByLabel('Item name').fill('Quinces by the bag')
  await page.getByLabel('Type').selectOption('giveaway')
  await page.getByLabel('open to rings').check()
  await button(page, 'post').click()
  await expect(page.getByText('Is it open to rings?')).toBeVisible()
  // The form would store its values again, as when the guess of the category comes.
  await page.goto('/terms')
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const stored = localStorage.getItem(key) ?? ''
      localStorage.setItem(key, stored.replace('"open_to_rings":true', '"open_to_rings":"yes"'))
    }
  })
  await page.goto('/listings/new')
  await expect(page.getByLabel('Item name')).toHaveValue('Quinces by the bag')
  await expect(page.getByLabel('open to rings')).not.toBeChecked()
})
