import { expect, test } from 'vitest'
import { getProfile, type Profile, resendConfirmation } from '#contract/auth.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { ConfirmEmailLine } from './confirm-email-line.tsx'

const profile: Profile = {
  id: 1,
  username: 'ann',
  first_name: 'Ann',
  last_name: 'Gardener',
  email: 'ann@example.com',
  email_confirmed: false,
  city: null,
  state: null,
  zip_code: null,
  profile_picture: null,
  friend_count: 0,
  location_known: false,
  language: null,
}

test('the button to send the mail again is beside the line that asks for it, which is no warning', async () => {
  const { screen, api, show } = await renderInApp(null)
  api.on(getProfile, () => profile)
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
