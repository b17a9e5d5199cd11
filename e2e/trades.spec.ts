import type { Locator, Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, listListings } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { updateProfile } from '#contract/profile.ts'
import { createTrade, listRings, listTrades, withdrawTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import { bothSizes, expect, expectAccessible, type Member, test } from './fixtures.ts'
import { befriend } from './sample-data.ts'

const card = (page: Page) => page.getByRole('main').getByRole('article')
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })
const inLine = (page: Page) => page.getByRole('region', { name: 'My request' })

async function list(
  { actor }: Member,
  title: string,
  more: Partial<CallInput<typeof createListing>['body']> = {},
) {
  const body = { title, type_id: types.giveaway, category_id: categories.produce, is_public: false, ...more }
  const { id } = await actor.call(createListing, { body })
  return id
}

function want({ actor }: Member, title: string) {
  return actor.call(createWant, { body: { title, category_id: categories.produce } })
}

/** Sends a request from the listing's screen. "I’d like this" is in the bottom bar of a phone and beside the text of a desktop. */
async function ask(page: Page, listing: number, note: string) {
  await page.goto(`/listings/${listing}`)
  await button(page, 'I’d like this').filter({ visible: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill(note)
  await button(dialog, 'ask').click()
  await expect(dialog).toHaveCount(0)
}

function tomorrow(): string {
  const day = new Date(Date.now() + 24 * 60 * 60_000)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

test(
  'two members request a giveaway; the second gets it after the first withdraws, picks it up and thanks the giver',
  bothSizes,
  async ({ world }) => {
    const [ann, bob, cat] = [await world.member('ann'), await world.member('bob'), await world.member('cat')]
    await cat.actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
    await Promise.all([befriend(ann, bob), befriend(ann, cat)])
    const plums = await list(ann, 'A bucket of plums')

    await ask(bob.page, plums, 'For a cake')
    await expect(inLine(bob.page)).toContainText('Asked – 1st in line')
    await ask(cat.page, plums, 'Any time after six')
    await expect(inLine(cat.page)).toContainText('Asked – 2nd in line')
    await expectAccessible(cat.page)

    await ann.page.goto('/my-listings')
    await ann.page.getByRole('link', { name: '2 requests: A bucket of plums' }).click()
    await expect(ann.page).toHaveURL(`/listings/${plums}#requests`)
    const requests = ann.page.getByRole('region', { name: 'Asked for by 2' })
    const [first, second] = [requests.getByRole('listitem').nth(0), requests.getByRole('listitem').nth(1)]
    await expect(first).toContainText(`1st ${bob.username}`)
    await expect(first).toContainText('For a cake')
    await expect(second).toContainText(`2nd ${cat.username}`)
    await expect(second).toContainText('Portland, OR')
    await expectAccessible(ann.page)
    await button(first, 'accept').click()
    await expect(first.getByText('promised', { exact: true })).toBeVisible()
    await expect(button(second, 'accept')).toHaveCount(0)
    await expect(inLine(bob.page)).toContainText('Promised to you')
    await expect(inLine(cat.page)).toContainText('Asked –')

    await bob.page.getByRole('link', { name: 'Show the trade' }).click()
    await expect(bob.page).toHaveURL(/\/trades\/\d+$/)
    await button(bob.page, 'withdraw').click()
    await button(bob.page.getByRole('dialog'), 'withdraw').click()
    await expect(card(bob.page).getByText('withdrawn', { exact: true })).toBeVisible()

    await expect(ann.page.getByText(`Shall ${cat.username}, next in line, get it?`)).toBeVisible()
    await button(ann.page, `promise it to ${cat.username}`).click()
    await expect(inLine(cat.page)).toContainText('Promised to you')

    // The conversation shows the trade.
    await ann.page.goto(`/messages/${cat.actor.id}`)
    await cat.page.goto(`/messages/${ann.actor.id}`)
    for (const { page } of [ann, cat]) {
      await page.locator('summary').click()
      await expect(card(page)).toContainText('promised')
    }
    await button(card(cat.page), 'arrange the pickup').click()
    const dialog = cat.page.getByRole('dialog')
    await dialog.getByLabel('From').fill('18:00')
    await dialog.getByLabel('Until').fill('17:00')
    await dialog.getByLabel('Day').fill(tomorrow())
    await button(dialog, 'propose').click()
    await expect(dialog.getByLabel('Until')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(cat.page)
    await dialog.getByLabel('Until').fill('19:00')
    await button(dialog, 'propose').click()
    await expect(dialog).toHaveCount(0)
    await expect(card(cat.page)).toContainText('6:00 – 7:00 PM (proposed)')
    await button(card(ann.page), 'accept the time').click()
    await expect(card(cat.page)).not.toContainText('(proposed)')
    const download = cat.page.waitForEvent('download')
    await button(card(cat.page), 'add to calendar').click()
    expect((await download).suggestedFilename()).toMatch(/\.ics$/)

    await button(card(cat.page), 'I have it: A bucket of plums').click()
    for (const { page } of [ann, cat])
      await expect(card(page).getByText('done', { exact: true })).toBeVisible()
    await button(card(cat.page), 'say thank you').click()
    await cat.page.getByRole('dialog').getByLabel(`To ${ann.username}`).fill('The best plums in town')
    await expect(cat.page.getByRole('dialog')).toContainText('22/200')
    await button(cat.page.getByRole('dialog'), 'send').click()
    await expect(cat.page.getByRole('dialog')).toHaveCount(0)

    await cat.page.goto(`/seller/${ann.actor.id}?tab=thanks`)
    await expect(cat.page.getByText('passed on 1, received 0')).toBeVisible()
    await expect(cat.page.getByText('The best plums in town')).toBeVisible()
    await expectAccessible(cat.page)

    await ann.page.goto('/profile')
    const thanks = ann.page.getByRole('region', { name: 'Thank-yous' })
    await expect(thanks).toContainText('The best plums in town')
    await button(thanks, `Thank-you of ${cat.username}`).click()
    await button(ann.page, 'hide').click()
    await button(ann.page.getByRole('dialog'), 'hide').click()
    await expect(thanks).toContainText('No thank-yous yet.')

    await ann.page.getByRole('link', { name: 'My trades' }).click()
    await expect(ann.page.getByText('No open trades.')).toBeVisible()
    await ann.page.getByRole('link', { name: 'Closed' }).click()
    await expect(card(ann.page)).toHaveCount(2)
    await expectAccessible(ann.page)
  },
)

test('two members whose listings match each other swap them', async ({ world }) => {
  const [cat, dan] = [await world.member('cat'), await world.member('dan')]
  await befriend(cat, dan)
  const exchange = { type_id: types.exchange }
  await Promise.all([want(cat, 'Scorzonera'), want(dan, 'Yacon')])
  await list(cat, 'Yacon roots', exchange)
  await list(dan, 'Scorzonera roots', exchange)
  await expect.poll(() => cat.actor.call(listMatches, { query: {} })).toMatchObject([{ is_swap: true }])

  await cat.page.goto('/matches')
  await button(cat.page, 'Propose a swap for Scorzonera roots').click()
  const dialog = cat.page.getByRole('dialog')
  await button(dialog, 'propose').click()
  await expect(dialog.getByLabel('In exchange')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('In exchange').selectOption('Yacon roots')
  await button(dialog, 'propose').click()
  await expect(cat.page.getByText('Proposed')).toBeVisible()

  await dan.page.goto('/notifications')
  const notice = dan.page.getByRole('main').getByRole('listitem').filter({ hasText: 'proposes a swap' })
  await expect(notice).toContainText('Yacon roots')
  await notice.getByRole('link').click()
  await expect(card(dan.page)).toContainText(`${cat.username} proposes a swap.`)
  await button(card(dan.page), 'accept').click()
  await expect(card(dan.page).getByText('promised', { exact: true })).toBeVisible()
  await expectAccessible(dan.page)

  await cat.page.goto('/trades')
  await button(card(cat.page), 'I have it: Scorzonera roots').click()
  await expect(card(dan.page)).toContainText('handed over')
  await button(card(dan.page), 'I have it: Yacon roots').click()
  await expect(card(dan.page).getByText('done', { exact: true })).toBeVisible()
  await expect(card(cat.page).getByText('done', { exact: true })).toBeVisible()
  await cat.page.reload()
  await expect(cat.page.getByText('No open trades.')).toBeVisible()
})

test('three members accept a ring, each in their own browser', async ({ world }) => {
  const [ann, ben, cat] = [await world.member('ann'), await world.member('ben'), await world.member('cat')]
  // Only public listings can be in a ring.
  const exchange = { type_id: types.exchange, is_public: true }
  await Promise.all([befriend(ann, ben), befriend(ben, cat), befriend(cat, ann)])
  for (const { actor } of [ann, ben, cat])
    await actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
  await Promise.all([want(ann, 'Figs'), want(ben, 'Garlic'), want(cat, 'Plums')])
  await list(ann, 'Plums', exchange)
  await list(ben, 'Figs', exchange)
  await list(cat, 'Garlic', exchange)
  await expect.poll(() => ann.actor.call(listRings)).toHaveLength(1)

  await ann.page.goto('/matches')
  const ring = ann.page.getByRole('region', { name: 'a ring for you' })
  await expect(ring).toContainText(`you give Plums to ${cat.username}`)
  await expect(ring).toContainText(`${ben.username} gives Figs to you`)
  await expectAccessible(ann.page)
  await button(ring, 'propose it to all').click()
  await expect(ring).toHaveCount(0)

  for (const { page } of [ben, cat]) {
    await page.goto('/notifications')
    await page
      .getByRole('main')
      .getByRole('link', { name: /proposes a ring/ })
      .click()
    await expect(card(page)).toContainText(`${ann.username} proposes a ring.`)
    await button(card(page), 'accept').click()
    await expect(button(card(page), 'accept')).toHaveCount(0)
  }
  await ann.page.goto(`/messages/${ben.actor.id}`)
  await ann.page.locator('summary').click()
  await expectAccessible(ann.page)
  for (const [{ page }, gets] of [
    [ann, 'Figs'],
    [ben, 'Garlic'],
    [cat, 'Plums'],
  ] as const)
    await button(card(page), `I have it: ${gets}`).click()
  for (const { page } of [ann, ben, cat])
    await expect(card(page).getByText('done', { exact: true })).toBeVisible()
})

test(
  'a giveaway is opened to rings in its forms, whose drafts remember the choice',
  bothSizes,
  async ({ world }) => {
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
    await expect(choice).toHaveAccessibleDescription(/^Three or four give in a circle/)
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

    await page.getByRole('link', { name: 'Quinces by the bag' }).click()
    await page.getByRole('link', { name: 'edit' }).click()
    await expect(choice).toBeChecked()
    await choice.uncheck()
    await page.reload()
    await expect(choice).not.toBeChecked()
    await button(page, 'save').click()
    await expect(page.getByText('Listing saved')).toBeVisible()
    expect(await read()).toMatchObject({ open_to_rings: false })
  },
)

test("a listing form shows the server's error about rings, and ignores a draft that is not valid", async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('422')
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
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Quinces by the bag')
  await page.getByLabel('Type').selectOption('giveaway')
  await page.getByLabel('open to rings').check()
  await button(page, 'post').click()
  await expect(page.getByText('Is it open to rings?')).toBeVisible()
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const stored = localStorage.getItem(key) ?? ''
      localStorage.setItem(key, stored.replace('"open_to_rings":true', '"open_to_rings":"yes"'))
    }
  })
  await page.reload()
  await expect(page.getByLabel('Item name')).toHaveValue('')
  await page.getByLabel('Type').selectOption('giveaway')
  await expect(page.getByLabel('open to rings')).not.toBeChecked()
})

test('a request that was answered meanwhile shows its new state', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  await befriend(ann, bob)
  const id = await list(ann, 'Chives')
  await bob.actor.call(createTrade, { body: { listing_id: id } })
  await ann.page.routeWebSocket(/socket\.io/, () => undefined)
  await ann.page.goto('/trades')
  await expect(card(ann.page)).toContainText(`${bob.username} would like this.`)
  const [{ id: trade } = { id: 0 }] = await bob.actor.call(listTrades, { query: {} })
  await bob.actor.call(withdrawTrade, { params: { id: trade } })
  ann.allowErrors('status of 409')
  await button(card(ann.page), 'accept').click()
  await expect(card(ann.page)).toContainText('This has changed in the meantime.')
  await expect(card(ann.page).getByText('withdrawn', { exact: true })).toBeVisible()
})
