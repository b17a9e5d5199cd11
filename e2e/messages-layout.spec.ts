import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { createTrade } from '#contract/trades.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'

const composer = (page: Page) => page.getByPlaceholder('Type a message…')
const log = (page: Page) => page.getByRole('log')
const conversations = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const write = ({ actor }: Account, to: Account, content: string) =>
  actor.call(sendMessage, { body: { receiver_id: to.actor.id, content } })

/** Returns by how many pixels the page is higher than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)

test('the list and the open conversation are side by side in windows of 1000 pixels and more', async ({
  world,
}) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  await write(bob, ann, 'The beans are dry')
  await write(cat, ann, 'See you Saturday')
  const { page } = ann
  const threads = conversations(page).getByRole('listitem')
  const toBob = conversations(page).getByRole('link', { name: bob.username })

  await page.setViewportSize({ width: 1000, height: 800 })
  await page.goto('/messages')
  await expect(title(page, 'messages')).toBeVisible()
  const hint = page.getByText('Choose a conversation')
  await expect(hint).toBeVisible()
  const middles = await hint.locator('xpath=../*').evaluateAll((parts) =>
    parts.map((part) => {
      const { left, right } = part.getBoundingClientRect()
      return Math.round((left + right) / 2)
    }),
  )
  expect(new Set(middles).size).toBe(1)
  await expect(threads).toHaveCount(2)
  expect(await overflow(page)).toBe(0)
  await expectAccessible(page)

  await toBob.focus()
  await page.keyboard.press('Enter')
  await expect(title(page, `Chat with ${bob.username}`)).toBeFocused()
  await expect(page.getByText('Choose a conversation')).toHaveCount(0)
  await expect(log(page)).toContainText('The beans are dry')
  await expect(toBob).toHaveAttribute('aria-current', 'page')
  await expect(toBob).not.toContainText('unread')
  await expect(page.getByRole('heading', { level: 2, name: 'messages' })).toBeVisible()
  const [list, talk] = [await conversations(page).boundingBox(), await log(page).boundingBox()]
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(talk?.x ?? 0)
  expect(await overflow(page)).toBe(0)
  await expectAccessible(page)

  // A search keeps the conversation open, and opening a conversation keeps the search.
  await conversations(page).getByRole('searchbox').fill('Saturday')
  await expect(threads).toHaveText([new RegExp(cat.username)])
  await expect(page).toHaveURL(`/messages/${bob.actor.id}?q=Saturday`)
  await expect(title(page, `Chat with ${bob.username}`)).toBeVisible()
  await threads.first().click()
  await expect(title(page, `Chat with ${cat.username}`)).toBeFocused()
  await expect(page).toHaveURL(`/messages/${cat.actor.id}?q=Saturday`)
  await conversations(page).getByRole('searchbox').fill('nothing of the kind')
  await expect(conversations(page).getByText('No conversations found.').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'No conversations found.' })).toBeAttached()
  await conversations(page).getByRole('button', { name: 'Clear the search' }).click()
  await expect(threads).toHaveCount(2)

  await composer(page).fill('Until Saturday then')
  await composer(page).press('Enter')
  await expect(threads.first()).toContainText('You: Until Saturday then')
  await write(bob, ann, 'And the peas')
  await expect(threads.first()).toContainText('And the peas')
  await expect(threads.first()).toContainText('1 unread')

  await page.reload()
  await expect(title(page, `Chat with ${cat.username}`)).toBeVisible()
  await expect(threads).toHaveCount(2)

  // Narrower windows show one of them.
  await page.setViewportSize({ width: 999, height: 800 })
  await expect(conversations(page)).toBeHidden()
  await expect(log(page)).toContainText('Until Saturday then')
  await page.goto('/messages')
  await expect(threads).toHaveCount(2)
  await expect(page.getByText('Choose a conversation')).toBeHidden()
})

const ordinary = [
  'I am splitting my rhubarb this weekend.',
  'Is one of the three still free? I have a shady corner waiting for it.',
  'Two are. Come by after six and pick the one you like.',
  'Perfect. I will bring tomatoes and a jar of chili paste.',
  'Oh, lovely! The gate sticks, so give it a good push.',
]

test('five ordinary messages, the composer and up to three trades fit above an open on-screen keyboard', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  for (let number = 1; number <= 3; number++) await write(bob, ann, `Row ${number} is watered`)
  await page.setViewportSize({ width: 390, height: 420 })
  let crowns = 0
  for (const trades of [0, 1, 3]) {
    for (; crowns < trades; crowns++) {
      const { id } = await ann.actor.call(createListing, {
        body: { title: `Rhubarb crown ${crowns}`, type_id: types.giveaway },
      })
      await bob.actor.call(createTrade, { body: { listing_id: id } })
    }
    // A trade begins with a message of its own.
    for (const [index, text] of ordinary.entries())
      await (index % 2 === 0 ? write(ann, bob, text) : write(bob, ann, text))
    await page.goto(`/messages/${bob.actor.id}`)
    const last = (text: string) => log(page).getByText(text).last()
    await expect(last(ordinary[4] ?? '')).toBeInViewport({ ratio: 1 })
    if (trades > 0) {
      const strip = await page.getByRole('region', { name: 'Trades' }).boundingBox()
      expect(strip?.height ?? Infinity).toBeLessThanOrEqual(32)
    }
    await composer(page).focus()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    for (const text of ordinary) await expect(last(text)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('link', { name: bob.username })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('link', { name: 'Back' })).toBeInViewport({ ratio: 1 })
    expect(await overflow(page)).toBe(0)
    if (trades === 3) await expectAccessible(page)
    await composer(page).blur()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  }
  await page.setViewportSize({ width: 844, height: 390 })
  const strip = page.getByRole('region', { name: 'Trades' }).getByRole('button')
  await expect.poll(async () => (await strip.boundingBox())?.height).toBe(44)
})
