import { getListing } from '#contract/listings.ts'
import { acceptTrade, listTrades } from '#contract/trades.ts'
import { desktop, expect, expectAccessible, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { rowOf } from './my-listings.ts'
import { befriend } from './sample-data.ts'
import { button, card, list } from './trading.ts'

test('a listing is posted and edited with how many of which unit there are', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Breakfast radishes')
  await page.getByLabel('Type').selectOption('giveaway')
  await page.getByLabel('Unit').fill('bunches')
  await button(page, 'post').click()
  await expect(page.getByText('Please say how many there are, or leave the unit out')).toBeVisible()
  await expect(page.getByLabel('How many')).toBeFocused()
  await page.getByLabel('How many').fill('5')
  await button(page, 'post').click()
  await rowOf(page, 'Breakfast radishes').getByRole('link').first().click()
  await expect(page.getByText('5 bunches left')).toBeVisible()

  await page.getByRole('link', { name: 'edit' }).click()
  await expect(page.getByLabel('How many')).toHaveValue('5')
  await page.getByLabel('How many').fill('')
  await page.getByLabel('Unit').fill('')
  await button(page, 'save').click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await expect(page.getByText('bunches left')).toHaveCount(0)
})

for (const size of [phone, desktop])
  test(`some of a listing is asked for and promised, and the rest stays, ${size.width} px wide`, async ({
    world,
  }) => {
    const [ann, bob] = [await world.member('ann'), await world.member('bob')]
    await befriend(ann, bob)
    const id = await list(ann, 'Breakfast radishes', { quantity: 5, unit: 'bunches' })
    const { page } = bob
    await page.setViewportSize(size)
    await page.goto(`/seller/${ann.actor.id}`)
    await expect(page.getByRole('link', { name: 'Breakfast radishes' })).toContainText('5 bunches left')
    await page.getByRole('link', { name: 'Breakfast radishes' }).click()
    await button(page, 'I’d like this').filter({ visible: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('How many')).toHaveValue('1')
    await dialog.getByLabel('How many').fill('6')
    await button(dialog, 'ask').click()
    await expect(dialog.getByText('Not so many are left. Please ask for fewer.')).toBeVisible()
    await setTextSize(page, '200%')
    await expectNoLayoutFaults(page, 'the request of an amount with text twice as large')
    await setTextSize(page, '')
    await dialog.getByLabel('How many').fill('2')
    await button(dialog, 'ask').click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'My request' })).toContainText('2 bunches')
    await expectAccessible(page)

    // The owner's page shows the amount, and the promise arrives by the socket.
    await ann.page.setViewportSize(size)
    await ann.page.goto(`/listings/${id}`)
    await expect(ann.page.getByRole('region', { name: 'Asked for by 1' })).toContainText('2 bunches')
    const [trade] = await ann.actor.call(listTrades, { query: { listing_id: id } })
    await ann.actor.call(acceptTrade, { params: { id: trade?.id ?? 0 } })
    await expect(ann.page.getByText('3 bunches left')).toBeVisible()
    await expect(page.getByText('3 bunches left')).toBeVisible()
    await page.getByRole('link', { name: 'Show the trade' }).click()
    await expect(card(page)).toContainText('2 bunches')
    expect((await bob.actor.call(getListing, { params: { id } })).quantity_left).toBe(3)
  })
