import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { focusPressedButton } from './focus-pressed-button.ts'

/** Presses a button as in Safari: events without a change of the focus. */
function press(name: string) {
  const button = page.getByRole('button', { name }).element()
  for (const type of ['mousedown', 'mouseup', 'click'])
    button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
  return button
}

async function open() {
  onTestFinished(focusPressedButton())
  await render(
    <>
      <input aria-label="Text" />
      <button type="button">Open</button>
      <button type="button" onMouseDown={(event) => event.preventDefault()}>
        Send
      </button>
    </>,
  )
}

test('a pressed button has the focus in a browser that does not focus it', async () => {
  await open()
  const button = press('Open')
  expect(document.activeElement).toBe(button)
})

test('a button that keeps the focus elsewhere does not take it', async () => {
  await open()
  const field = page.getByRole('textbox').element()
  field.focus()
  press('Send')
  expect(document.activeElement).toBe(field)
})

test('a click by a script does not move the focus', async () => {
  await open()
  const field = page.getByRole('textbox').element()
  field.focus()
  page
    .getByRole('button', { name: 'Open' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  expect(document.activeElement).toBe(field)
})
