import type { Page } from '@playwright/test'
import { states, types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { acceptTrade, createTrade, listTrades, tradeMessages, withdrawTrade } from '#contract/trades.ts'
import { withDatabase } from './database.ts'
import { cutSockets, desktop, expect, expectAccessible, type Person, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { befriend } from './sample-data.ts'
import { expectClosed } from './screens.ts'
import { button, card, list, unfold, want } from './trading.ts'

const bell = ({ page }: Person) => page.getByRole('link', { name: 'Notifications' })
const items = (page: Page) => page.getByRole('main').getByRole('listitem')
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
  // A long test with three browsers.
  test.slow()
  const [ann, bob, cat] = [
    await world.member('ann'),
    await world.member('bob'),
    await world.member('catherine_in_the_lane'),
  ]
  await cat.actor.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
  const dan = await world.account('dan')
  await Promise.all([befriend(ann, bob), befriend(ann, cat), befriend(ann, dan)])
  const plums = await list(ann, 'A bucket of plums')
  // An earlier promise that has ended.
  const { id: earlier } = await dan.actor.call(createTrade, { body: { listing_id: plums } })
  await ann.actor.call(acceptTrade, { params: { id: earlier } })
  await dan.actor.call(withdrawTrade, { params: { id: earlier } })

  await test.step('the dialog opens at the second try if its code fails to load, and stays open in a larger window', async () => {
    const { page } = bob
    bob.allowErrors('request-dialog')
    const code = '**/assets/request-dialog-*.js'
    await page.context().route(code, (route) => route.abort('connectionrefused'))
    await page.goto(`/listings/${plums}`)
    await button(page, 'I’d like this').filter({ visible: true }).click()
    await expect(page.getByRole('alert')).toContainText('A part of this screen did not come.')
    await page.context().unroute(code)
    await button(page, 'Try again').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.setViewportSize(desktop)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.setViewportSize(phone)
  })
  await test.step('after a withdrawal of the request, the focus is at the next control', async () => {
    await ask(bob.page, plums, 'For a pie')
    await button(bob.page, 'withdraw').press('Enter')
    // On a phone the button that asks again is in the bottom bar, before this place.
    await expect(button(bob.page, 'share')).toBeFocused()
  })
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
  await button(first, 'accept').press('Enter')
  await expect(first.getByText('promised', { exact: true })).toBeVisible()
  await expect(button(first, 'arrange the pickup')).toBeFocused()
  await expect(button(second, 'accept')).toHaveCount(0)
  await expect(inLine(bob.page)).toContainText('Promised to you')
  await expect(inLine(cat.page)).toContainText('Asked –')

  await bob.page.getByRole('link', { name: 'Show the trade' }).click()
  await expect(bob.page).toHaveURL(/\/trades\/\d+$/)
  await button(bob.page, 'withdraw').click()
  await button(bob.page.getByRole('dialog'), 'withdraw').click()
  await expect(card(bob.page).getByText('withdrawn', { exact: true })).toBeVisible()

  await expect(
    ann.page.getByText(
      `The promise to ${bob.username} has ended. Shall ${cat.username}, next in line, get it?`,
    ),
  ).toBeVisible()
  await test.step('a promise that the next in line gets leaves the focus in the requests', async () => {
    await setTextSize(ann.page, '200%')
    await expectNoLayoutFaults(ann.page, 'the question about the next in line with text twice as large')
    await setTextSize(ann.page, '')
    await button(ann.page, `promise it to ${cat.username}`).press('Enter')
    const allRequests = ann.page.getByRole('region', { name: /Asked for/ })
    await expect(allRequests.getByRole('link', { name: cat.username }).first()).toBeFocused()
  })
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
  await dialog.getByLabel('Until').fill('')
  await dialog.getByLabel('Day').fill(tomorrow())
  await button(dialog, 'propose').click()
  await expect(dialog.getByLabel('Until')).toBeFocused()
  await dialog.getByLabel('Until').fill('17:00')
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

  const [{ id } = { id: 0 }] = await cat.actor.call(listTrades, { query: {} })
  await cat.page.goto(`/trades/${id}`)
  await expect(cat.page.locator('html')).not.toHaveAttribute('data-hydrating')
  await test.step('after each step of a trade the focus is at the next one', async () => {
    await button(card(cat.page), 'I have it: A bucket of plums').press('Enter')
    await expect(card(cat.page).getByRole('link', { name: 'A bucket of plums' })).toBeFocused()
    await expect(card(cat.page)).toContainText(`Waiting for ${ann.username} to say yes.`)
    for (const { page } of [ann, cat]) await expectAccessible(page)
    await button(card(ann.page), 'not yet: A bucket of plums').press('Enter')
    await button(card(cat.page), 'I have it: A bucket of plums').press('Enter')
    await button(card(ann.page), 'yes: A bucket of plums').press('Enter')
    for (const { page } of [ann, cat])
      await expect(card(page).getByText('done', { exact: true })).toBeVisible()
    await button(card(cat.page), 'say thank you').press('Enter')
    await cat.page.getByRole('dialog').getByLabel(`To ${ann.username}`).fill('The best plums in town')
    await expect(cat.page.getByRole('dialog')).toContainText('22/200')
    await button(cat.page.getByRole('dialog'), 'send').press('Enter')
    await expect(card(cat.page)).toContainText('You: The best plums in town')
    await expectClosed(cat.page)
    await expect(card(cat.page).getByRole('link', { name: 'Write' })).toBeFocused()
  })

  await cat.page.goto(`/seller/${ann.actor.id}?tab=thanks`)
  await expect(cat.page.getByText('passed on 1, received 0')).toBeVisible()
  await expect(cat.page.getByText('The best plums in town')).toBeVisible()

  await ann.page.goto('/profile')
  const thanks = ann.page.getByRole('region', { name: 'Thank-yous' })
  await expect(thanks).toContainText('The best plums in town')
  const menu = button(thanks, `Thank-you of ${cat.username}`)
  await test.step('the receiver of a thank-you reports it to support', async () => {
    await menu.click()
    await button(ann.page, 'report').click()
    const report = ann.page.getByRole('dialog', { name: 'report this thank-you' })
    await expectAccessible(ann.page)
    await report.getByLabel('What is wrong?').fill(`This is an advertisement, says ${ann.username}`)
    await button(report, 'send').click()
    await expect(ann.page.getByText('Thank you. We will look at it.')).toBeVisible()
    const mail = await world.mailTo('hello@rhubarb.example', ann.username)
    expect(mail.text).toContain('The best plums in town')
    await expect(thanks).toContainText('The best plums in town')
  })
  await test.step('the receiver of a thank-you hides it from all members', async () => {
    await menu.click()
    await button(ann.page, 'hide').click()
    await button(ann.page.getByRole('dialog'), 'hide').click()
    await expect(thanks).toContainText('No thank-yous yet.')
    await cat.page.reload()
    await expect(cat.page.getByText('No thank-yous yet.')).toBeVisible()
    await expect(cat.page.getByText('passed on 1, received 0')).toBeVisible()
    // The trade itself keeps the words for its two members.
    await cat.page.goto(`/trades/${id}`)
    await expect(card(cat.page)).toContainText('You: The best plums in town')
  })

  await ann.page.getByRole('link', { name: 'My trades' }).click()
  await expect(ann.page.getByRole('main').getByText('No open trades.')).toBeVisible()
  await ann.page.getByRole('link', { name: 'Closed' }).click()
  await expect(card(ann.page)).toHaveCount(4)
})

test('two members whose wants and listings match see a swap, and swap them', async ({ world }) => {
  const [cat, dan] = [await world.member('cat'), await world.member('dan')]
  await befriend(cat, dan)
  const exchange = { type_id: types.exchange }
  await Promise.all([want(cat, 'Scorzonera'), want(dan, 'Yacon')])
  await cat.page.goto('/my-listings')
  await dan.page.goto('/notifications')
  const id = await list(cat, 'Yacon roots', exchange)
  await expect(items(dan.page).filter({ hasText: 'has Yacon roots' })).toBeVisible()
  await list(dan, 'Scorzonera roots', exchange)

  await expect(bell(cat)).toContainText('2 unread')
  await expect(items(dan.page).filter({ hasText: 'wants something of yours' })).toContainText('Yacon roots')
  for (const { page } of [cat, dan]) {
    await page.goto('/matches')
    await expect(items(page)).toHaveCount(1)
    await expect(items(page).getByText('swap', { exact: true })).toBeVisible()
  }

  await test.step('an owner sees the interested members', async () => {
    await cat.page.goto('/my-listings')
    const row = cat.page.getByRole('listitem').filter({ hasText: 'Yacon roots' })
    await row.getByRole('link', { name: '1 gardener wants this: Yacon roots' }).click()
    await expect(cat.page).toHaveURL(`/listings/${id}#wanted`)
    const interested = cat.page.getByRole('region', { name: 'Wanted by 1' })
    await expect(interested.getByRole('heading')).toBeFocused()
    await expect(interested.getByRole('heading')).toBeInViewport()
    await expect(interested).toContainText('for “Yacon”: yacon is on their list')
    await interested.getByRole('link', { name: `Write to ${dan.username}` }).click()
    await expect(cat.page).toHaveURL(`/messages/${dan.actor.id}`)
  })

  await list(cat, 'Yacon that is reserved', { ...exchange, state_id: states.reserved })
  await list(cat, 'Yacon that is inactive', { ...exchange, is_active: false })
  const ended = await list(cat, 'Yacon that has ended', exchange)
  await withDatabase((client) =>
    client.query('update listings set expires_at = now() where id = $1', [ended]),
  )

  await cat.page.goto('/matches')
  await button(cat.page, 'Propose a swap for Scorzonera roots').click()
  const dialog = cat.page.getByRole('dialog')
  await test.step('an ended, reserved or inactive listing is not offered', async () => {
    const offers = dialog.getByLabel('In exchange').getByRole('option')
    await expect(offers).toHaveText(['Please choose', 'Yacon roots'])
  })
  await button(dialog, 'propose').click()
  await expect(dialog.getByLabel('In exchange')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('In exchange').selectOption('Yacon roots')
  await test.step('a restored offer is displayed and sent only if it can still be offered', async () => {
    const { page } = cat
    const offer = dialog.getByLabel('In exchange')
    const isMine = /\/api\/listings\?.*mine=true/
    const { promise: isOpen, resolve: answer } = Promise.withResolvers<void>()
    let state_id: number = states.reserved
    await page.route(isMine, async (route) => {
      await isOpen
      const response = await route.fetch()
      const listings: Listing[] = await response.json()
      await route.fulfill({ json: listings.map((listing) => ({ ...listing, state_id })) })
    })
    const reopen = async () => {
      await page.reload()
      await button(page, 'Propose a swap for Scorzonera roots').click()
    }
    await reopen()
    await expect(offer.locator(':checked')).toHaveText('Loading...')
    answer()
    await expect(offer.locator(':checked')).toHaveText('Please choose')
    await button(dialog, 'propose').click()
    await expect(offer).toHaveAccessibleDescription('Please choose a listing')

    state_id = states.available
    await reopen()
    await expect(offer.locator(':checked')).toHaveText('Yacon roots')
    await page.unroute(isMine)
  })
  await button(dialog, 'propose').click()
  await expect(cat.page.getByText('Proposed')).toBeVisible()

  await dan.page.goto('/notifications')
  const notice = dan.page.getByRole('main').getByRole('listitem').filter({ hasText: 'proposes a swap' })
  await expect(notice).toContainText('Yacon roots')
  await notice.getByRole('link').click()
  await expect(card(dan.page)).toContainText(`${cat.username} proposes a swap.`)
  await button(card(dan.page), 'accept').press('Enter')
  await expect(card(dan.page).getByText('promised', { exact: true })).toBeVisible()
  await expect(button(card(dan.page), 'arrange the pickup')).toBeFocused()

  await cat.page.goto('/trades?state=closed')
  await expect(cat.page.getByRole('main').getByText('No closed trades yet.')).toBeVisible()
  await cat.page.getByRole('link', { name: 'Open', exact: true }).click()
  await button(card(cat.page), 'I have it: Scorzonera roots').click()
  await button(card(dan.page), 'yes: Scorzonera roots').click()
  await expect(card(cat.page)).toContainText('· handed over')
  await button(card(dan.page), 'I have it: Yacon roots').click()
  await button(card(cat.page), 'yes: Yacon roots').click()
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
  await cutSockets(ann.page, 'does not answer')
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
    await cutSockets(tab, 'does not answer')
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

test('several trades of a conversation fold into one row, from which each opens', async ({ world }) => {
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
  const anyRow = trades.getByRole('button', { name: /3 trades/ })
  await anyRow.click()
  await expect(card(page)).toBeHidden()

  await page.setViewportSize(desktop)
  await expect(trades.getByRole('listitem')).toHaveCount(0)
  await anyRow.click()
  await expect(anyRow).toHaveAttribute('aria-expanded', 'true')
  await expect(trades.locator('summary')).toHaveCount(3)
  await unfold(trades.locator('summary').filter({ hasText: 'Borage' }))
  const borage = card(page).filter({ hasText: 'Borage' })
  await expect(borage).toBeInViewport()
  await borage.getByRole('button', { name: 'accept', exact: true }).click()
  await expect(borage.getByText('promised', { exact: true })).toBeVisible()
  await anyRow.click()
  await expect(borage).toBeHidden()
})
