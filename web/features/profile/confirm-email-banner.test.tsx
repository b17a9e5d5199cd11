import { expect, test } from 'vitest'
import { getProfile, type Profile, resendConfirmation } from '#contract/auth.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { ConfirmEmailBanner } from './confirm-email-banner.tsx'

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

test('the button to send the mail again is inside the banner that asks for it', async () => {
  const { screen, api, show } = await renderInApp(null)
  api.on(getProfile, () => profile)
  api.on(resendConfirmation, () => ({ message: 'Sent.' }))
  await show(<ConfirmEmailBanner />)
  const button = screen.getByRole('button', { name: 'Send it again' })
  await expect.element(button).toBeVisible()

  const hasRule = (element: Element | null) => element && getComputedStyle(element).borderLeftWidth === '3px'
  let banner: Element | null = screen.getByText(/^Confirm your e-mail/).element()
  while (banner !== null && !hasRule(banner)) banner = banner.parentElement
  expect(banner?.contains(button.element())).toBe(true)
  await button.click()
  await expect.element(screen.getByText('Sent.')).toBeVisible()
})
