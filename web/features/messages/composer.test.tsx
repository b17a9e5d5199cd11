import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { limits } from '#contract/constants.ts'
import { messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { storedMessage } from '#web/testing/stored.ts'
import { Composer } from './composer.tsx'
import { failureText } from './failure-text.ts'
import { createOutbox, OutboxProvider } from './outbox.ts'

const bob = 2

async function openComposer() {
  const page = await renderInApp(null)
  const outbox = createOutbox(page.app)
  const open = () =>
    page.show(
      <OutboxProvider value={outbox}>
        <Composer receiver={bob} label="Message to bob" />
      </OutboxProvider>,
    )
  await open()
  const sent = page.api.on(sendMessage, ({ body }) => storedMessage(body))
  return { ...page, outbox, open, sent, field: page.screen.getByRole('textbox', { name: 'Message to bob' }) }
}

test('Enter sends the trimmed text once and clears the field', async () => {
  const { field, sent } = await openComposer()
  await userEvent.fill(field, '  Are the lemons ripe?  ')
  await userEvent.keyboard('{Enter}')

  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.body).toMatchObject({ receiver_id: bob, content: 'Are the lemons ripe?' })
  await expect.element(field).toHaveValue('')
})

test('the Enter that ends a composition of an input method sends nothing', async () => {
  const { field, sent } = await openComposer()
  await userEvent.fill(field, 'にほん')
  // Safari's Enter after the composition.
  field.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }))

  await expect.element(field).toHaveValue('にほん')
  expect(sent).toEqual([])
})

test('a press of Send keeps the focus in the text field', async () => {
  const { field, screen } = await openComposer()
  await userEvent.fill(field, 'Ripe?')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await expect.element(field).toHaveValue('')
  await expect.element(field).toHaveFocus()
})

test('a long text announces its steps, not each character', async () => {
  const { app, field, screen } = await openComposer()
  const announced = () => app.announcement.get().text
  await userEvent.fill(field, 'x'.repeat(limits.message - 501))
  await expect.element(screen.getByText(new RegExp(`/${limits.message}$`))).not.toBeInTheDocument()
  await userEvent.fill(field, 'x'.repeat(limits.message - 500))
  await expect.poll(announced).toContain('At most 500 characters left')
  await userEvent.fill(field, 'x'.repeat(limits.message - 499))
  await expect.element(screen.getByText(`${limits.message - 499}/${limits.message}`)).toBeVisible()
  await expect.poll(announced).toContain('At most 500 characters left')
  await userEvent.fill(field, 'x'.repeat(limits.message - 99))
  await expect.poll(announced).toContain('At most 100 characters left')
})

test('Shift and Enter begin a new line and send nothing', async () => {
  const { field, sent } = await openComposer()
  await userEvent.type(field, 'Ripe?{Shift>}{Enter}{/Shift}Red?')

  await expect.element(field).toHaveValue('Ripe?\nRed?')
  expect(sent).toEqual([])
})

test.each(['', '   ', '\n\n'])('sends nothing for %j', async (text) => {
  const { field, screen, sent, outbox } = await openComposer()
  await userEvent.fill(field, text)
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))

  expect(outbox.state.get().messages).toEqual([])
  expect(sent).toEqual([])
})

test('a text that is too long is counted, explained, kept and not sent', async () => {
  const { field, screen, sent } = await openComposer()
  await userEvent.fill(field, 'x'.repeat(limits.message + 1))
  await userEvent.click(field)
  await userEvent.keyboard('{Enter}')

  await expect.element(screen.getByText(messageErrorMessages.tooLong, { exact: false })).toBeVisible()
  await expect
    .element(screen.getByText(`${limits.message + 1}/${limits.message}`, { exact: false }))
    .toBeVisible()
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveValue('x'.repeat(limits.message + 1))
  expect(sent).toEqual([])
})

test('a text that is sent after another member has logged in stays the draft of its sender', async () => {
  const { app, field, sent, outbox } = await openComposer()
  await userEvent.fill(field, 'From ann')
  app.login.store('a token of cat', { id: 3, username: 'cat' })
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard(' and cat')

  expect(outbox.state.get().messages).toEqual([])
  expect(sent).toEqual([])
  expect(localStorage.getItem('draft:1:message-2')).toBe('"From ann"')
  expect(Object.keys(localStorage)).toEqual(['draft:1:message-2'])
})

test('an unsent text is there when the composer opens again', async () => {
  const { field, show, open } = await openComposer()
  await userEvent.fill(field, 'Half a thought')
  await show(null)
  await expect.element(field).not.toBeInTheDocument()
  await open()

  await expect.element(field).toHaveValue('Half a thought')
})

test('messages to one member are sent in their order, one after the other', async () => {
  const { field, api, outbox } = await openComposer()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  api.on(sendMessage, async ({ body }) => {
    order.push(body.content)
    if (order.length === 1) await first.promise
    return storedMessage(body)
  })
  for (const text of ['one', 'two', 'three']) {
    await userEvent.fill(field, text)
    await userEvent.keyboard('{Enter}')
  }
  expect(outbox.state.get().messages.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  expect(order).toEqual(['one'])
  first.resolve()

  await expect.poll(() => outbox.state.get().messages).toEqual([])
  expect(order).toEqual(['one', 'two', 'three'])
})

test('a refused message says why and waits; a retry sends it with the same client_id', async () => {
  const { field, api, outbox } = await openComposer()
  const refused = api.on(sendMessage, () => new Refusal(403, { detail: 'No entiendo' }))
  await userEvent.fill(field, 'Hello?')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => outbox.state.get().messages[0]?.state).toBe('failed')
  const [unsent] = outbox.state.get().messages
  expect(unsent && failureText(unsent)).toBe(messageErrorMessages.notPossible)
  expect(Object.values(localStorage).join()).not.toContain('No entiendo')

  const accepted = api.on(sendMessage, ({ body }) => storedMessage(body))
  outbox.retry(bob)
  await expect.poll(() => outbox.state.get().messages).toEqual([])
  expect(accepted[0]?.body.client_id).toBe(refused[0]?.body.client_id)
})

test('a message that was not acknowledged is kept in local storage until it is', async () => {
  const { field, api, outbox } = await openComposer()
  const acknowledged = Promise.withResolvers<void>()
  api.on(sendMessage, async ({ body }) => {
    await acknowledged.promise
    return storedMessage(body)
  })
  await userEvent.fill(field, 'Do not lose me')
  await userEvent.keyboard('{Enter}')
  const stored = () => Object.values(localStorage).join()
  await expect.poll(stored).toContain('Do not lose me')
  acknowledged.resolve()

  await expect.poll(() => outbox.state.get().messages).toEqual([])
  expect(stored()).not.toContain('Do not lose me')
})

test('grows with its text up to a limit, and shrinks again, in a browser without field-sizing', async () => {
  const supports = vi.spyOn(CSS, 'supports').mockReturnValue(false)
  const style = document.head.appendChild(document.createElement('style'))
  style.textContent = 'textarea { field-sizing: fixed !important }'
  const { field } = await openComposer()
  const box = field.element()
  const oneLine = box.clientHeight
  await userEvent.fill(field, 'one\ntwo\nthree')

  expect(box.scrollHeight).toBe(box.clientHeight)
  expect(box.clientHeight).toBeGreaterThan(2 * oneLine - 30)
  await userEvent.fill(field, 'line\n'.repeat(40))
  expect(box.clientHeight).toBeLessThan(160)
  await userEvent.fill(field, '')
  expect(box.clientHeight).toBe(oneLine)
  style.remove()
  supports.mockRestore()
})
