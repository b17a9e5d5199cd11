import { sendMessage } from '#contract/messages.ts'
import { acceptTrade, handOverTrade, listTrades } from '#contract/trades.ts'
import { list } from '../trading.ts'
import { expect, test } from './fixtures.ts'

const publicly = { is_public: true }

test('two members talk live, and the composer grows with its text', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  for (let line = 0; line < 20; line += 1)
    await bob.actor.call(sendMessage, {
      body: { receiver_id: ann.actor.id, content: `Line ${line} about compost` },
    })
  await logIn(ann, `/messages/${bob.actor.id}`)
  await tab.see('Line 19')
  const box = () =>
    tab.evaluate(async () => {
      await document.fonts.ready
      const { clientHeight = 0, scrollHeight = 0 } = document.querySelector('textarea') ?? {}
      return { clientHeight, scrollHeight }
    })
  const before = await box()
  await tab.fill(/^Message/, 'A text that wraps around in the small field')
  const after = await box()
  expect(after.clientHeight).toBeGreaterThan(before.clientHeight + 20)
  expect(after.scrollHeight).toBeLessThanOrEqual(after.clientHeight + 1)
  await tab.press('Enter')
  await tab.see('A text that wraps around', { within: '[role=log]' })
  await tab.until('the composer is empty', async () => (await box()).clientHeight === before.clientHeight)
  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Back at once' } })
  await tab.see('Back at once', { within: '[role=log]' })
  await tab.until('the end is in view', () =>
    tab.evaluate(() => {
      const log = document.querySelector('[role=log]')
      return log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 4
    }),
  )
})

test('the menu of a conversation opens and closes by keyboard and pointer, and leads to a dialog', async ({
  tab,
  account,
  logIn,
}) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Hello' } })
  await logIn(ann, `/messages/${bob.actor.id}`)
  const isOpen = () => tab.evaluate(() => document.querySelector(':popover-open') !== null)
  await tab.click('button', 'More')
  await tab.until('the menu is open', isOpen)
  await tab.press('Escape')
  await tab.until('the menu is closed', async () => !(await isOpen()))
  expect(await tab.focused()).toBe('More')
  await tab.press('Enter')
  await tab.until('the menu is open', isOpen)
  await tab.driver.clickAt(195, 300)
  await tab.until('the menu is closed', async () => !(await isOpen()))
  await tab.click('button', 'More')
  await tab.openDialog('button', /^report/)
  await tab.until('the field has the focus', () =>
    tab.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'),
  )
  await tab.press('Escape')
  await tab.dialogClosed()
})

test('a trade goes from the request to the thanks', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  const listing = await list(bob, 'Medlars by the crate', publicly)
  await logIn(ann, `/listings/${listing}`)
  await tab.openDialog('button', 'I’d like this')
  await tab.fill(/note/i, 'For a jelly')
  await tab.click('button', 'ask')
  await tab.dialogClosed()
  await tab.see(/Asked/)
  const trades = await bob.actor.call(listTrades, { query: {} })
  const id = trades[0]?.id ?? 0
  await bob.actor.call(acceptTrade, { params: { id } })
  await tab.see(/Promised to you/)
  await tab.goto(`/trades/${id}`)
  await tab.openDialog('button', /arrange the pickup/)
  await tab.click('button', 'propose')
  await tab.until('the day is asked for', () => tab.has('selector', 'dialog [aria-invalid=true]'))
  await tab.evaluate(() => {
    const day = document.querySelector<HTMLInputElement>('dialog input[type=date]')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(day, tomorrow)
    day?.dispatchEvent(new Event('input', { bubbles: true }))
    day?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await tab.click('button', 'propose')
  await tab.dialogClosed()
  await tab.see(/pickup/i)
  await bob.actor.call(handOverTrade, { params: { id }, body: {} })
  await tab.until('thanks are possible', () => tab.has('button', /say thank you/i))
  await tab.openDialog('button', /say thank you/i)
  await tab.fill(/^To /, 'The best medlars')
  await tab.click('button', 'send')
  await tab.see('Thank-you sent')
  await tab.goto(`/seller/${bob.actor.id}`)
  await tab.click('link', /^Thanks/)
  await tab.see('The best medlars')
})

test('a server that does not answer is named until it answers again', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Hello' } })
  await logIn(ann, `/messages/${bob.actor.id}`)
  await tab.see('Hello')
  // WebKit's driver can not cut the network.
  await tab.evaluate(() => {
    const { fetch } = window
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    addEventListener('online', () => Object.assign(window, { fetch }), { capture: true })
  })
  await tab.click('link', /my listing/i)
  await tab.see(/You are offline|does not answer/)
  await tab.evaluate(() => void dispatchEvent(new Event('online')))
  await tab.click('link', /message/i, { within: 'nav' })
  await tab.gone(/You are offline|does not answer/)
  await tab.see('Hello')
})
