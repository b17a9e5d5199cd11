import { expect, test } from 'vitest'
import { getProfile, resendConfirmation } from '#contract/auth.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { ann } from '#web/testing/stored.ts'
import { ConfirmEmailLine } from './confirm-email-line.tsx'

test('the button to send the mail again is beside the line that asks for it, which is no warning', async () => {
  const { screen, api, show } = await renderInApp(null)
  api.on(getProfile, () => ({ ...ann, email_confirmed: false }))
  api.on(resendConfirmation, () => ({ message: 'Sent.' }))
  await show(<ConfirmEmailLine />)
  const button = screen.getByRole('button', { name: 'Send it again' })
  await expect.element(button).toBeVisible()

  const line = screen.getByText(/^The bell tells you what is new/).element().parentElement
  expect(line?.contains(button.element())).toBe(true)
  expect(line?.querySelector('svg')).toBeNull()
  await button.click()
  await expect.element(screen.getByText('Sent.')).toBeVisible()
})

test('a member whose mailbox refused a mail is told, and can change the address or confirm it', async () => {
  const { screen, api, show } = await renderInApp(null)
  api.on(getProfile, () => ({ ...ann, email_confirmed: false, email_refused: true }))
  await show(<ConfirmEmailLine />)
  await expect.element(screen.getByText(/came back: its mailbox does not exist/)).toBeVisible()
  await expect.element(screen.getByText(ann.email)).toBeVisible()
  const change = screen.getByRole('link', { name: 'Change it' })
  await expect.element(change).toHaveAttribute('href', '/profile/edit')
  await expect.element(screen.getByRole('button', { name: 'Send it again' })).toBeVisible()
})
