import type { Page } from '@playwright/test'
import { createListing } from '#contract/listings.ts'
import { createTrade, withdrawTrade } from '#contract/trades.ts'
import { cutSockets, expect, test } from './fixtures.ts'

import { photo } from './photos.ts'
import { befriend } from './sample-data.ts'
import { button, card, list } from './trading.ts'

/** Opens a page and waits until it is hydrated. Before that, a press could be lost. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
}

test('the focus stays near a removed photo, row, choice or message', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page, allowErrors } = ann
  for (const title of ['Chard', 'Cress'])
    await ann.actor.call(createListing, { body: { title, price: 2, is_public: true } })

  await open(page, `/messages/${bob.actor.id}`)
  await expect(button(page, 'Add photos')).toBeVisible()
  const small = await photo({ width: 320, height: 240 })
  await page.locator('input[type=file]').setInputFiles([small, small])
  await button(page, 'Remove photo 2').press('Enter')
  await expect(button(page, 'Remove photo 1')).toBeFocused()
  await page.keyboard.press('Enter')
  const composer = page.getByRole('textbox', { name: `Message to ${bob.username}` })
  await expect(composer).toBeFocused()

  allowErrors('ERR_FAILED', '/socket.io/')
  await cutSockets(page, 'refuses connections')
  await open(page, page.url())
  await page.route('**/api/messages', (route) => route.abort())
  await composer.fill('Is it there?')
  await composer.press('Enter')
  await button(page, 'Remove').press('Enter')
  await expect(page.getByRole('log')).not.toContainText('Is it there?')
  await expect(composer).toBeFocused()

  await open(page, '/my-listings?show=public')
  await page.getByRole('switch', { name: 'public: Cress' }).press('Space')
  await expect(page.getByRole('link', { name: 'Chard', exact: true })).toBeFocused()

  await open(page, '/myfriends')
  await button(page, 'Share your profile with a link').press('Enter')
  await button(page, 'make a new link').press('Enter')
  await expect(button(page, 'keep the link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'make a new link')).toBeFocused()
})

test('a control that is removed after a press beside it does not take the focus', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  await befriend(ann, bob)
  const { id } = await bob.actor.call(createTrade, { body: { listing_id: await list(ann, 'Medlars') } })
  const { page } = ann
  await open(page, `/trades/${id}`)
  await button(card(page), 'decline').focus()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await bob.actor.call(withdrawTrade, { params: { id } })
  await expect(card(page).getByText('withdrawn', { exact: true })).toBeVisible()
  await expect(page.locator('body')).toBeFocused()
})
