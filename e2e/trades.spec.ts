import type { Page } from '@playwright/test'
import { states, types } from '#contract/constants.ts'
import { listMatches } from '#contract/matches.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  acceptTrade,
  createTrade,
  handOverTrade,
  listTrades,
  thankForTrade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import { ageListing } from './age-listing.ts'
import { bothSizes, expect, expectAccessible, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { befriend } from './sample-data.ts'
import { expectClosed } from './screens.ts'
import { button, card, list, unfold, want } from './trading.ts'

const inLine = (page: Page) => page.getByRole('region', { name: 'My request' })

/** Sends a request from the listing's screen. "I’d like this" is in the bottom bar of a phone and beside the text of a desktop. */
async function ask(page: Page, listing: number, note: string) {
  await page.goto(`/listings/${listing}`)
  await button(page, 'I’d like this').filter({ visible: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note (optional)').fill(note)
  await button(dialog, 'ask').click()
  await expect(dialog).toHaveCount(0)
}

function tomorrow(): string {
  const day = new Date(Date.now() + 24 * 60 * 60_000)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

test('two members request a giveaway; the second gets it after the first withdraws, picks it up and thanks the giver', async ({
  world,
}) => {
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
    await unfold(page.locator('summary'))
    await expect(card(page)).toContainText('promised')
  }
  await button(card(cat.page), 'arrange the pickup').click()
  const dialog = cat.page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const size = cat.page.viewportSize()
  await cat.page.setViewportSize({ width: 390, height: 844 })
  await setTextSize(cat.page, '200%')
  await expectNoLayoutFaults(cat.page, 'the pickup dialog with text twice as large')
  await setTextSize(cat.page, '')
  if (size !== null) await cat.page.setViewportSize(size)
  await dialog.getByLabel('From').fill('18:00')
  await dialog.getByLabel('Until').fill('17:00')
  await dialog.getByLabel('Day').fill(tomorrow())
  await button(dialog, 'propose').click()
  await expect(dialog.getByLabel('Until')).toHaveAttribute('aria-invalid', 'true')
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
  for (const { page } of [ann, cat]) await expect(card(page).getByText('done', { exact: true })).toBeVisible()
  await button(card(cat.page), 'say thank you').click()
  await cat.page.getByRole('dialog').getByLabel(`To ${ann.username}`).fill('The best plums in town')
  await expect(cat.page.getByRole('dialog')).toContainText('22/200')
  await button(cat.page.getByRole('dialog'), 'send').click()
  await expectClosed(cat.page)

  await cat.page.goto(`/seller/${ann.actor.id}?tab=thanks`)
  await expect(cat.page.getByText('passed on 1, received 0')).toBeVisible()
  await expect(cat.page.getByText('The best plums in town')).toBeVisible()

  await ann.page.goto('/profile')
  const thanks = ann.page.getByRole('region', { name: 'Thank-yous' })
  await expect(thanks).toContainText('The best plums in town')
  await button(thanks, `Thank-you of ${cat.username}`).click()
  await button(ann.page, 'hide').click()
  await button(ann.page.getByRole('dialog'), 'hide').click()
  await expect(thanks).toContainText('No thank-yous yet.')

  await ann.page.getByRole('link', { name: 'My trades' }).click()
  await expect(ann.page.getByRole('main').getByText('No open trades.')).toBeVisible()
  await ann.page.getByRole('link', { name: 'Closed' }).click()
  await expect(card(ann.page)).toHaveCount(2)
})

test('an ended, reserved or inactive listing is not offered in a swap', async ({ world }) => {
  const [cat, dan] = [await world.member('cat'), await world.account('dan')]
  await befriend(cat, dan)
  const exchange = { type_id: types.exchange }
  await want(dan, 'Oca')
  await want(cat, 'Mashua')
  await list(cat, 'Oca tubers', exchange)
  await list(cat, 'Oca that is reserved', { ...exchange, state_id: states.reserved })
  await list(cat, 'Oca that is inactive', { ...exchange, is_active: false })
  const ended = await list(cat, 'Oca that has ended', exchange)
  await list(dan, 'Mashua tubers', exchange)
  await expect.poll(() => cat.actor.call(listMatches, { query: {} })).toMatchObject([{ is_swap: true }])
  await ageListing(ended, 15)

  await cat.page.goto('/matches')
  await button(cat.page, 'Propose a swap for Mashua tubers').click()
  const offers = cat.page.getByRole('dialog').getByLabel('In exchange').getByRole('option')
  await expect(offers).toHaveText(['Please choose', 'Oca tubers'])
})

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

  await cat.page.goto('/trades?state=closed')
  await expect(cat.page.getByRole('main').getByText('No closed trades yet.')).toBeVisible()
  await cat.page.getByRole('link', { name: 'Open', exact: true }).click()
  await button(card(cat.page), 'I have it: Scorzonera roots').click()
  await expect(card(dan.page)).toContainText('handed over')
  await button(card(dan.page), 'I have it: Yacon roots').click()
  await expect(card(dan.page).getByText('done', { exact: true })).toBeVisible()
  await expect(card(cat.page).getByText('done', { exact: true })).toBeVisible()
  await cat.page.reload()
  await expect(cat.page.getByRole('main').getByText('No open trades.')).toBeVisible()
})

test('a request that was answered meanwhile shows its new state', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
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

test('a member who is not in a queue sees neither its members nor their notes', async ({ world }) => {
  const [ann, bob, dan] = [await world.account('ann'), await world.account('bob'), await world.member('dan')]
  const id = await list(ann, 'Celtuce', { is_public: true })
  const note = 'For the rabbits of my aunt'
  await bob.actor.call(createTrade, { body: { listing_id: id, note } })
  const { page } = dan
  await page.goto(`/listings/${id}`)
  await expect(button(page, 'I’d like this').filter({ visible: true })).toBeVisible()
  await ask(page, id, 'For soup')
  await expect(inLine(page)).toContainText('Asked – 2nd in line')
  await page.reload()
  await expect(inLine(page)).toContainText('Asked – 2nd in line')
  await expect(page.getByRole('region', { name: /Asked for/ })).toHaveCount(0)
  for (const secret of [bob.username, note]) expect(await page.content()).not.toContain(secret)
  expect(await dan.actor.call(listTrades, { query: { listing_id: id } })).toHaveLength(1)

  const visitor = await world.visitor()
  await visitor.page.goto(`/listings/${id}`)
  await expect(visitor.page).toHaveURL(`/login?next=${encodeURIComponent(`/listings/${id}`)}`)
})

test('of two requests that are accepted in two tabs at once, one is promised and the other tab shows the conflict', async ({
  world,
}) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  await Promise.all([befriend(ann, bob), befriend(ann, cat)])
  const id = await list(ann, 'Lovage')
  for (const { actor } of [bob, cat]) await actor.call(createTrade, { body: { listing_id: id } })
  ann.allowErrors('status of 409')
  const tabs = [ann.page, await ann.page.context().newPage()]
  for (const tab of tabs) {
    // Neither tab learns of the other by an event.
    await tab.routeWebSocket(/socket\.io/, () => undefined)
    await tab.goto(`/listings/${id}`)
    await expect(tab.getByRole('region', { name: 'Asked for by 2' })).toBeVisible()
    await expect(tab.locator('html')).not.toHaveAttribute('data-hydrating')
  }
  await Promise.all(tabs.map((tab, index) => button(tab, 'accept').nth(index).click()))
  const conflicts = async () => {
    const counts = await Promise.all(tabs.map((tab) => tab.getByText(tradeMessages.conflict).count()))
    return counts.toSorted()
  }
  await expect.poll(conflicts).toEqual([0, 1])
  for (const tab of tabs) await expect(tab.getByText('promised', { exact: true })).toHaveCount(1)
  const trades = await ann.actor.call(listTrades, { query: { listing_id: id } })
  expect(trades.map(({ state }) => state).toSorted()).toEqual(['accepted', 'requested'])
})

test(
  'several trades of a conversation fold into one row, from which each opens',
  bothSizes,
  async ({ world }) => {
    const [ann, bob] = [await world.member('ann'), await world.account('bob')]
    await befriend(ann, bob)
    const { page } = ann
    for (const title of ['Angelica', 'Borage'])
      await bob.actor.call(createTrade, { body: { listing_id: await list(ann, title) } })
    await ann.actor.call(createTrade, { body: { listing_id: await list(bob, 'Comfrey') } })
    await page.goto(`/messages/${bob.actor.id}`)
    const trades = page.getByRole('region', { name: 'Trades' })
    const row = trades.getByRole('button', { name: '3 trades 2 wait for you' })
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await expect(trades.getByRole('listitem')).toHaveCount(0)
    await row.click()
    await expect(row).toHaveAttribute('aria-expanded', 'true')
    await expect(trades.locator('summary')).toHaveCount(3)
    await unfold(trades.locator('summary').filter({ hasText: 'Angelica' }))
    await expect(card(page)).toBeInViewport()
    await button(card(page), 'accept').click()
    await expect(card(page).getByText('promised', { exact: true })).toBeVisible()
    await expect(trades.getByRole('button', { name: '3 trades 1 waits for you' })).toBeVisible()
    await trades.getByRole('button', { name: /3 trades/ }).click()
    await expect(card(page)).toBeHidden()
  },
)

test('the receiver of a thank-you reports it to support and hides it from all members', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  await befriend(ann, bob)
  const { id } = await bob.actor.call(createTrade, { body: { listing_id: await list(ann, 'Sorrel') } })
  const params = { id }
  await ann.actor.call(acceptTrade, { params })
  await bob.actor.call(handOverTrade, { params, body: {} })
  await bob.actor.call(thankForTrade, { params, body: { text: 'Buy my plastic tomatoes' } })

  await ann.page.goto('/profile')
  const thanks = ann.page.getByRole('region', { name: 'Thank-yous' })
  const menu = button(thanks, `Thank-you of ${bob.username}`)
  await menu.click()
  await button(ann.page, 'report').click()
  const dialog = ann.page.getByRole('dialog', { name: 'report this thank-you' })
  await expectAccessible(ann.page)
  await dialog.getByLabel('What is wrong?').fill(`This is an advertisement, says ${ann.username}`)
  await button(dialog, 'send').click()
  await expect(ann.page.getByText('Thank you. We will look at it.')).toBeVisible()
  const mail = await world.mailTo('hello@rhubarb.example', ann.username)
  expect(mail.text).toContain('Buy my plastic tomatoes')
  await expect(thanks).toContainText('Buy my plastic tomatoes')

  await menu.click()
  await button(ann.page, 'hide').click()
  await button(ann.page.getByRole('dialog'), 'hide').click()
  await expect(thanks).toContainText('No thank-yous yet.')
  await bob.page.goto(`/seller/${ann.actor.id}?tab=thanks`)
  await expect(bob.page.getByText('No thank-yous yet.')).toBeVisible()
  await expect(bob.page.getByText('passed on 1, received 0')).toBeVisible()
  // The trade itself keeps the words for its two members.
  await bob.page.goto(`/trades/${id}`)
  await expect(card(bob.page)).toContainText('Sorrel')
})
