import { limits, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { listMessages } from '#contract/messages.ts'
import { composer, log, overflow, say, write } from './conversation.ts'
import { clickTryAgain, cutSockets, expect, expectAccessible, renderInBrowser, test } from './fixtures.ts'
import { photo } from './photos.ts'

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

test('a logout removes the draft of a message with its photos', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  const drafts = () =>
    page.evaluate(async () => [
      ...Object.keys(localStorage).filter((key) => key.startsWith('draft')),
      ...(await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'photo-drafts'),
    ])
  await page.goto(`/messages/${bob.actor.id}`)
  await composer(page).fill('x'.repeat(limits.message + 1))
  await expect(composer(page)).toHaveAttribute('aria-invalid', 'true')
  await page.locator('input[type=file]').setInputFiles(await photo({ width: 320, height: 240 }))
  await expect
    .poll(drafts)
    .toEqual(expect.arrayContaining([expect.stringMatching(/^draft:/), 'photo-drafts']))
  await expectAccessible(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
  await expect.poll(drafts).toEqual([])
})
