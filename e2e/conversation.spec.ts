import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { countUnreadMessages, listMessages, sendMessage } from '#contract/messages.ts'
import { insertMessages } from './database.ts'
import {
  type Account,
  clickTryAgain,
  cutSockets,
  expect,
  expectAccessible,
  renderInBrowser,
  test,
} from './fixtures.ts'
import { photo } from './photos.ts'

const composer = (page: Page) => page.getByPlaceholder('Type a message…')
const log = (page: Page) => page.getByRole('log')
const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /message/ })

const write = ({ actor }: Account, to: Account, content: string) =>
  actor.call(sendMessage, { body: { receiver_id: to.actor.id, content } })

/** Returns by how many pixels the page is higher than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)

/** Types a message and sends it by the Enter key. */
async function say(page: Page, words: string) {
  await composer(page).fill(words)
  await composer(page).press('Enter')
}

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

test('a message refused for a duplicate client_id stays in the conversation and is sent on a retry', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  ann.allowErrors('409')
  const client_id = crypto.randomUUID()
  await ann.actor.call(sendMessage, {
    body: { receiver_id: bob.actor.id, content: 'Sent before', client_id },
  })
  await ann.page.goto('/messages')
  await ann.page.evaluate(([key, unsent]) => localStorage.setItem(key, unsent), [
    `draft:${ann.actor.id}:outbox`,
    JSON.stringify([
      {
        client_id,
        receiver_id: bob.actor.id,
        content: 'Another text',
        created_at: new Date().toISOString(),
        state: 'sending',
      },
    ]),
  ] as const)
  await ann.page.goto(`/messages/${bob.actor.id}`)
  await expect(log(ann.page)).toContainText('Another text')
  // A reconnect may send it without a click.
  await expect
    .poll(async () => {
      const retry = log(ann.page).getByRole('button', { name: 'Try again' })
      if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => undefined)
      const messages = await bob.actor.call(listMessages, { params: { id: ann.actor.id }, query: {} })
      return messages.map(({ content }) => content)
    })
    .toEqual(['Sent before', 'Another text'])
  await expect(log(ann.page).getByText('Not sent.')).toHaveCount(0)
})

test('a draft survives a reload, and messages that failed offline are sent after a reload', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  const { page, allowErrors } = ann
  allowErrors('ERR_INTERNET_DISCONNECTED', 'ERR_FAILED', '/socket.io/')
  // Chromium keeps an open socket when it is set offline, and the message would wait for the socket's answer.
  await page.routeWebSocket('**/socket.io/**', (socket) => socket.close())
  await write(bob, ann, 'What do you bring?')
  await page.goto(`/messages/${bob.actor.id}`)
  await composer(page).fill('Half a thought')
  await page.reload()
  await expect(composer(page)).toHaveValue('Half a thought')
  // Go offline once the conversation is loaded.
  await expect(log(page)).toContainText('What do you bring?')

  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(true)
  await page.context().setOffline(true)
  await page.route('**/api/messages', (route) => route.abort())
  await say(page, 'Perfect. I will bring tomatoes.')
  await say(page, 'And a jar of chili paste.')
  await expect(log(page).getByText('Not sent.')).toHaveCount(2)
  await expect(log(page)).toContainText('Perfect. I will bring tomatoes.')
  // A notice above the conversation shrinks the list of messages.
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expect.poll(() => overflow(page)).toBe(0)
  await expectAccessible(page)

  await page.unroute('**/api/messages')
  await page.context().setOffline(false)
  await page.reload()
  await expect(log(page).getByText('Not sent.')).toHaveCount(0)
  await expect
    .poll(async () => {
      const messages = await bob.actor.call(listMessages, { params: { id: ann.actor.id }, query: {} })
      return messages.map(({ content }) => content)
    })
    .toEqual(['What do you bring?', 'Perfect. I will bring tomatoes.', 'And a jar of chili paste.'])
})

test('a message that is removed in one tab is not sent by another', async ({ world }) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  const { page } = ann
  const context = page.context()
  const tab = await context.newPage()
  ann.allowErrors('ERR_FAILED', 'ERR_CONNECTION_REFUSED', '/socket.io/')
  await context.route('**/api/messages', (route) => route.abort())
  for (const each of [page, tab]) await cutSockets(each, 'refuses connections')
  await page.goto(`/messages/${bob.actor.id}`)
  await say(page, 'To remove')
  await say(page, 'To send')
  await expect(log(page).getByText('Not sent.')).toHaveCount(2)
  await tab.goto(`/messages/${bob.actor.id}`)
  await expect(log(tab).getByText('Not sent.')).toHaveCount(2)

  await log(page).getByRole('button', { name: 'Remove' }).first().click()
  await expect(log(tab).getByText('Not sent.')).toHaveCount(1)
  await context.unroute('**/api/messages')
  // The tab may send it by itself before the press.
  const tryAgain = log(tab).getByRole('button', { name: 'Try again' })
  await tryAgain.dispatchEvent('click', {}, { timeout: 2000 }).catch(() => undefined)
  await expect(log(tab).getByText(/Sending|Not sent/)).toHaveCount(0)
  const messages = await bob.actor.call(listMessages, { params: { id: ann.actor.id }, query: {} })
  expect(messages.map(({ content }) => content)).toEqual(['To send'])
})

test('the first message about a listing is shown while it is not sent', async ({ world }) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { id } = await ann.actor.call(createListing, {
    body: { title: 'Rhubarb crowns', type_id: types.giveaway },
  })
  const { page, allowErrors } = bob
  allowErrors('ERR_FAILED', '/socket.io/')
  await cutSockets(page, 'refuses connections')
  await page.route('**/api/messages', (route) => route.abort())
  await page.goto(`/listings/${id}`)
  await expect(page.getByText('About Rhubarb crowns')).toBeVisible()
  await say(page, 'Is one still free?')
  await expect(log(page)).toContainText('Is one still free?')
  await expect(log(page).getByText('Not sent.')).toBeVisible()
  await page.unroute('**/api/messages')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(log(page).getByText('Not sent.')).toHaveCount(0)
  await expect(log(page)).toContainText('Is one still free?')
})

test('a message is shown and can be sent again while the conversation can not be loaded', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page, allowErrors } = ann
  allowErrors('ERR_FAILED', '403', '/socket.io/')
  await renderInBrowser(page.context())
  await cutSockets(page, 'refuses connections')
  const [load, send] = [/\/api\/messages\/\d+(\?|$)/, /\/api\/messages(\?|$)/]
  await page.route(load, (route) => route.fulfill({ status: 403 }))
  await page.route(send, (route) => route.abort())
  await page.goto(`/messages/${bob.actor.id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load data' })
  await expect(failure).toBeVisible()
  await say(page, 'Is it ripe?')
  await expect(log(page)).toContainText('Is it ripe?')
  await expect(log(page).getByText('Not sent.')).toBeVisible()
  await expectAccessible(page)

  await clickTryAgain(page, load)
  await expect(failure).toHaveCount(0)
  await clickTryAgain(page, send)
  await expect(log(page).getByText('Not sent.')).toHaveCount(0)
  await expect(log(page)).toContainText('Is it ripe?')
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

test('messages that arrive while offline are shown once and in order after the reconnect', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  const { page, allowErrors } = ann
  allowErrors('ERR_INTERNET_DISCONNECTED', '/socket.io/')
  const connection = page.waitForEvent('websocket')
  await page.goto(`/messages/${bob.actor.id}`)
  await connection
  await write(bob, ann, 'Before')
  await expect(log(page).getByText('Before')).toBeVisible()

  await page.context().setOffline(true)
  for (const words of ['First', 'Second', 'Third']) await write(bob, ann, words)
  await page.context().setOffline(false)
  await expect(
    log(page)
      .getByRole('paragraph')
      .filter({ hasText: `${bob.username}:` }),
  ).toHaveText([/Before$/, /First$/, /Second$/, /Third$/], { timeout: 40_000 })
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

test('the composer limits, keeps, sends and forgets its text', async ({ world }) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  const { page } = ann

  await test.step('a message over 4000 characters is not sent and keeps its text', async () => {
    await page.goto(`/messages/${cat.actor.id}`)
    await composer(page).fill('x'.repeat(3499))
    await expect(page.getByText(/\/4000$/)).toHaveCount(0)
    await composer(page).fill('x'.repeat(3500))
    await expect(page.getByText('3500/4000', { exact: true })).toBeVisible()
    const announcement = page.getByRole('status').filter({ hasText: 'characters' })
    await expect(announcement).toHaveText('At most 500 characters left')
    await composer(page).press('End')
    await composer(page).press('y')
    await expect(page.getByText('3501/4000', { exact: true })).toBeVisible()
    await expect(announcement).toHaveText('At most 500 characters left')
    await composer(page).fill('x'.repeat(3901))
    await expect(announcement).toHaveText('At most 100 characters left')
    await composer(page).fill('x'.repeat(4001))
    await expect(page.getByText(/4001\/4000$/)).toBeVisible()
    await expect(announcement).toHaveText('A message can have at most 4,000 characters')
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(composer(page)).toHaveValue('x'.repeat(4001))
    await expectAccessible(page)
    await composer(page).fill('x'.repeat(4000))
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveValue('')
    await expect(log(page)).toContainText('x'.repeat(4000))
  })

  await test.step('the composer ignores blank text, Shift+Enter starts a new line, and a logout removes the draft', async () => {
    await page.goto(`/messages/${bob.actor.id}`)
    await say(page, '   ')
    await expect(composer(page)).toHaveValue('   ')
    await composer(page).fill('One')
    // Safari's Enter that ends a composition of an input method.
    await composer(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
    await composer(page).press('Shift+Enter')
    await composer(page).pressSequentially('two')
    await page.getByRole('button', { name: 'Send' }).click()
    // The composer keeps the focus, so a phone's keyboard stays open.
    await expect(composer(page)).toBeFocused()
    // Messages sent in quick succession all arrive, in order.
    await say(page, 'Three')
    await say(page, 'Four')
    await expect(log(page).getByRole('paragraph').filter({ hasText: 'You:' })).toHaveText([
      /One\ntwo$/,
      /Three$/,
      /Four$/,
    ])

    // A logout removes the draft and its photos.
    const drafts = () =>
      page.evaluate(async () => [
        ...Object.keys(localStorage).filter((key) => key.startsWith('draft')),
        ...(await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'photo-drafts'),
      ])
    await composer(page).fill('Half a thought')
    await page.locator('input[type=file]').setInputFiles(await photo({ width: 320, height: 240 }))
    await expect
      .poll(drafts)
      .toEqual(expect.arrayContaining([expect.stringMatching(/^draft:/), 'photo-drafts']))
    await page.goto('/')
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
    await expect.poll(drafts).toEqual([])
  })
})

test('no connection notice appears while messages are sent over HTTP', async ({ world }) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  ann.allowErrors('/socket.io/')
  await ann.page.clock.install()
  await cutSockets(ann.page, 'refuses connections')
  await ann.page.goto(`/messages/${bob.actor.id}`)
  await say(ann.page, 'Is it there?')
  await expect(log(ann.page)).toContainText('Is it there?')
  // Longer than the delay of the notice.
  await ann.page.clock.runFor(4000)
  await expect(ann.page.getByText('There is no connection.')).toHaveCount(0)
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
