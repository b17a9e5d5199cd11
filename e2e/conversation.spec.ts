import type { Page } from '@playwright/test'
import { states, types } from '#contract/constants.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { countUnreadMessages, sendMessage } from '#contract/messages.ts'
import { composer, log, overflow, say, write } from './conversation.ts'
import { insertMessages } from './database.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /message/ })

test('two members exchange messages from a listing, the conversation list and a profile', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.member('bob')
  const { id } = await ann.actor.call(createListing, {
    body: { title: 'Rhubarb crowns, three', type_id: types.giveaway },
  })

  // The first message carries the listing.
  await bob.page.goto(`/listings/${id}`)
  await expect(bob.page.getByRole('heading', { name: `Chat with ${ann.username}` })).toBeVisible()
  await expect(composer(bob.page)).toHaveValue('')
  await say(bob.page, 'Is one still free?')
  await expect(log(bob.page)).toContainText('Is one still free?')
  await expect(composer(bob.page)).toHaveValue('')

  await ann.page.goto('/my-listings')
  await expect(badge(ann.page)).toHaveText(/1 unread/)
  await badge(ann.page).click()
  await expect(ann.page.getByRole('heading', { name: 'messages' })).toBeVisible()
  const thread = ann.page.getByRole('link', { name: bob.username })
  await expect(thread).toContainText('Is one still free?')
  await expect(thread).toContainText('1 unread')
  await thread.click()
  await expect(ann.page.getByRole('heading', { name: `Chat with ${bob.username}` })).toBeVisible()
  await expect(ann.page).toHaveTitle(`Chat with ${bob.username} · Rhubarb`)
  await expect(badge(ann.page)).toHaveText('message')
  await expect(log(ann.page).getByRole('link', { name: 'About Rhubarb crowns, three' })).toHaveAttribute(
    'href',
    `/listings/${id}`,
  )
  await say(ann.page, 'Two are. See https://example.com/rhubarb, and <b>bring a bag</b>.')

  // The message arrives over the socket. Its URL is a link; its HTML is plain text.
  await expect(log(bob.page)).toContainText('<b>bring a bag</b>.')
  await expect(log(bob.page).getByRole('link', { name: 'example.com' })).toHaveAttribute(
    'href',
    'https://example.com/rhubarb',
  )

  await bob.page.goto(`/messages/${ann.actor.id}`)
  await expect(log(bob.page).getByText('Today')).toBeVisible()
  await bob.page.getByRole('link', { name: ann.username, exact: true }).click()
  await expect(bob.page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(bob.page).toHaveTitle(`@${ann.username} · Rhubarb`)

  // Messages sent from a profile appear in the conversation.
  await say(bob.page, 'I come by after six.')
  await expect(bob.page).toHaveURL(`/messages/${ann.actor.id}`)
  await expect(log(bob.page)).toContainText('I come by after six.')
  await expect(log(ann.page)).toContainText('I come by after six.')
})

test('messages below the fold of a listing are unread until they are on the screen', async ({ world }) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { id } = await ann.actor.call(createListing, {
    body: { title: 'Leeks', type_id: types.giveaway, description: 'Long and white.\n\n'.repeat(20) },
  })
  await ann.actor.call(sendMessage, { body: { receiver_id: bob.actor.id, content: 'Do come by' } })
  const { page } = bob
  const marks: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/mark-thread-read')) marks.push(request.url())
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/listings/${id}`)
  await expect(log(page)).toContainText('Do come by')
  await expect(log(page)).not.toBeInViewport()
  // An IntersectionObserver reports with the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(marks).toEqual([])
  expect(await bob.actor.call(countUnreadMessages, {})).toBe(1)

  await log(page).scrollIntoViewIfNeeded()
  await expect.poll(() => bob.actor.call(countUnreadMessages, {})).toBe(0)
})

test('a message shows what its listing costs now, and whether it is still there', async ({ world }) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { id } = await ann.actor.call(createListing, { body: { title: 'Leeks', price: 4 } })
  const body = { receiver_id: ann.actor.id, content: 'How long are they?', listing_id: id }
  await bob.actor.call(sendMessage, { body })
  const { page, allowErrors } = bob
  const about = log(page).getByRole('link', { name: 'About Leeks' })
  await page.goto(`/messages/${ann.actor.id}`)
  await expect(about).toHaveText('About Leeks$4')
  await expect(badge(page)).toBeVisible()
  const change = (changes: Parameters<typeof ann.actor.call<typeof updateListing>>[1]['body']) =>
    ann.actor.call(updateListing, { params: { id }, body: changes })
  await change({ price: 3 })
  await expect(about).toHaveText('About Leeks$3')
  await change({ state_id: states.reserved })
  await expect(about).toHaveText('About Leeks$3reserved')
  await expectAccessible(page)
  await change({ state_id: states.gone })
  await expect(about).toHaveText('About Leeks$3gone')
  allowErrors(/404/)
  await change({ is_active: false })
  await expect(about).toHaveText('About Leeksno longer listed')
})

test('a block, an unknown member or the own id prevents messages, and a refused message keeps its text', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.member('bob')
  const { page, allowErrors } = ann
  allowErrors('403', '404')
  await page.goto(`/messages/${bob.actor.id}`)
  await bob.actor.call(blockMember, { params: { id: ann.actor.id } })
  await bob.page.goto(`/messages/${ann.actor.id}`)
  await expect(bob.page.getByText('You have blocked this member.')).toBeVisible()
  await expect(bob.page.getByRole('button', { name: `unblock ${ann.username}` })).toBeVisible()
  await expect(composer(bob.page)).toHaveCount(0)
  await expectAccessible(bob.page)

  await say(page, 'Are you there?')
  await expect(log(page).getByText('You can not write to this member')).toBeVisible()
  await expect(log(page)).toContainText('Are you there?')
  await log(page).getByRole('button', { name: 'Remove' }).click()
  await expect(log(page)).not.toContainText('Are you there?')

  // Neither the heading nor the page title names a member who can not be seen.
  await page.goto('/messages/987654321')
  await expect(page.getByText('This member can not be written to.')).toBeVisible()
  await expect(page.getByRole('main').getByText('User not found')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Chat with User 987654321' })).toBeVisible()
  await expect(page).toHaveTitle('Chat with User 987654321 · Rhubarb')
  // Neither an address without an id nor the own id has a conversation.
  for (const id of ['nobody', ann.actor.id]) {
    await page.goto(`/messages/${id}`)
    await expect(page).toHaveURL('/messages')
  }
  await expect(page.getByRole('main').getByText('No conversations found.')).toBeVisible()
})

test('a long conversation opens at its end, loads older messages without a jump, and offers to show new ones', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  await insertMessages(bob, ann, 119)
  await write(bob, ann, 'Row 120 is watered')
  const { page } = ann
  await page.goto(`/messages/${bob.actor.id}`)
  await expect(log(page).getByText('Row 120 is watered')).toBeInViewport()
  // Only the messages scroll, not the page.
  expect(await overflow(page)).toBe(0)
  await expect(log(page).getByText('Row 20 is watered')).toHaveCount(0)

  // Only a hydrated list loads older messages.
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  // The scroll position stays while older messages are inserted above.
  await log(page).evaluate((list) => list.scrollTo({ top: 60 }))
  await expect(log(page).getByText('Row 21 is watered')).toBeAttached()
  await expect(log(page).getByText('Row 71 is watered', { exact: false })).toBeInViewport()

  await write(bob, ann, 'Something new')
  const newMessages = page.getByRole('button', { name: 'new messages' })
  await expect(newMessages).toBeVisible()
  await expect(log(page).getByText('Row 71 is watered', { exact: false })).toBeInViewport()
  await newMessages.click()
  await expect(log(page).getByText('Something new')).toBeInViewport()
  await expect(newMessages).toBeHidden()
  await write(bob, ann, 'And newer')
  await expect(log(page).getByText('And newer')).toBeInViewport()
})

test('a message is marked as read after a reconnect if the call has failed', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page, allowErrors } = ann
  allowErrors('mark-thread-read')
  const connected = Promise.withResolvers<{ cut: () => Promise<void> }>()
  await page.routeWebSocket('**/socket.io/**', (socket) => {
    socket.connectToServer().onMessage((frame) => {
      socket.send(frame)
      // The CONNECT packet of Socket.IO.
      if (frame.toString().startsWith('40')) connected.resolve({ cut: () => socket.close() })
    })
  })
  await page.route('**/mark-thread-read', (route) => route.abort(), { times: 1 })
  await page.goto(`/messages/${bob.actor.id}`)
  const { cut } = await connected.promise
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('mark-thread-read'))
  await write(bob, ann, 'Are they ripe?')
  await failed
  expect(await ann.actor.call(countUnreadMessages)).toBe(1)

  await cut()
  await expect.poll(() => ann.actor.call(countUnreadMessages)).toBe(0)
})

test('the last message that was read is marked as seen, also when it was read while the sender was offline', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  const { page, allowErrors } = ann
  allowErrors('ERR_INTERNET_DISCONNECTED', '/socket.io/')
  const seen = log(page).getByText('Seen')
  await write(ann, bob, 'Is it ripe?')
  await page.goto(`/messages/${bob.actor.id}`)
  await expect(log(page)).toContainText('Is it ripe?')
  await expect(seen).toHaveCount(0)
  await bob.page.goto(`/messages/${ann.actor.id}`)
  await expect(seen).toBeVisible()
  // Only the last read message is marked.
  await bob.page.goto('/profile')
  await say(page, 'And the other?')
  await expect(log(page).getByRole('paragraph').last()).not.toContainText('Sending')
  await expect(seen).toHaveCount(1)
  await page.context().setOffline(true)
  // The server renders the message. The browser marks it as read afterwards.
  const read = bob.page.waitForResponse(`**/api/messages/${ann.actor.id}/mark-thread-read`)
  await bob.page.goto(`/messages/${ann.actor.id}`)
  await read
  await bob.page.goto('/profile')
  await page.context().setOffline(false)
  await expect(log(page).getByRole('paragraph').last()).toContainText('Seen', { timeout: 40_000 })
  await expect(seen).toHaveCount(1)
})

test('a keyboard that covers the page, as in Safari, covers neither the composer nor a dialog', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  const keyboardTop = 500
  await page.addInitScript((height) => {
    const viewport = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: window.innerHeight })
    Object.defineProperty(window, 'visualViewport', { value: viewport })
    // The page keeps its height.
    const resize = (next: number) => {
      viewport.height = next
      viewport.dispatchEvent(new Event('resize'))
    }
    addEventListener('focusin', ({ target }) => resize(target instanceof HTMLTextAreaElement ? height : 844))
  }, keyboardTop)
  const bottom = async () => {
    const box = await page.locator('textarea:visible').last().boundingBox()
    return box === null ? Number.NaN : box.y + box.height
  }
  for (const path of [`/messages/${bob.actor.id}`, `/seller/${bob.actor.id}`]) {
    await page.goto(path)
    await composer(page).click()
    await expect.poll(bottom).toBeLessThanOrEqual(keyboardTop)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('heading', { level: 1 }).focus()
    await expect.poll(bottom).toBeGreaterThan(keyboardTop)
  }
  await page.getByRole('button', { name: 'report' }).click()
  await page.getByRole('dialog').getByRole('textbox').click()
  await expect.poll(bottom).toBeLessThanOrEqual(keyboardTop)
})
