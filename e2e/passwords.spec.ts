import type { Page } from '@playwright/test'
import { logIn } from '#contract/auth.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const switchOf = (page: Page, label: string) =>
  page.getByRole('button', { name: new RegExp(`^(Show|Hide) what is typed: ${label}$`) })
const change = (page: Page) => page.getByRole('button', { name: 'change password' })

/** Types a password, shows it and hides it again. */
async function expectSwitch(page: Page, label: string) {
  const password = field(page, label)
  await password.fill('plum-crumble-42')
  await expect(password).toHaveAttribute('type', 'password')
  await switchOf(page, label).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('plum-crumble-42')
  // The field keeps the focus, so a phone's keyboard stays open.
  await expect(password).toBeFocused()
  await expect(switchOf(page, label)).toHaveAccessibleName(`Hide what is typed: ${label}`)
  await switchOf(page, label).press('Enter')
  await expect(password).toHaveAttribute('type', 'password')
}

test('every password field can show what is typed, and hides it again on submit', async ({ world }) => {
  const [visitor, ann] = [await world.visitor(), await world.member('ann')]
  visitor.allowErrors('status of 400')
  for (const [address, ...labels] of [
    ['/login', 'Password'],
    ['/register', 'Password', 'Confirm password'],
    ['/reset-password?token=some', 'New password', 'Confirm new password'],
  ]) {
    await visitor.page.goto(address ?? '')
    for (const label of labels) await expectSwitch(visitor.page, label)
    for (const label of labels) await switchOf(visitor.page, label).click()
  }
  await visitor.page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(visitor.page.getByRole('alert')).toHaveText('Invalid or expired reset token')
  await expect(field(visitor.page, 'New password')).toHaveAttribute('type', 'password')
  await ann.page.goto('/profile/edit')
  await field(ann.page, 'Password').fill('x')
  for (const label of ['Password', 'Confirm password', 'Current password'])
    await expectSwitch(ann.page, label)
  await switchOf(ann.page, 'Password').click()
  await expectAccessible(ann.page)
  await field(ann.page, 'Password').fill('')
  await field(ann.page, 'Email').fill('ann@elsewhere.example')
  await expectSwitch(ann.page, 'Current password')
  await ann.page.goto('/profile')
  await ann.page.getByRole('button', { name: 'delete my profile' }).click()
  await expectSwitch(ann.page, 'Password')
})

test('a member changes the password in a separate form, typed twice', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('status of 4')
  await page.goto('/profile/edit')
  await expect(change(page)).toBeDisabled()
  await field(page, 'City').fill('Astoria')
  await expect(change(page)).toBeDisabled()
  for (const [password, again, label, sentence] of [
    ['plum', 'plum', 'Password', 'Password must be at least 8 characters long'],
    ['rhubarb-custard-7', '', 'Confirm password', 'Please confirm your password'],
    ['rhubarb-custard-7', 'rhubarb-custard-8', 'Confirm password', 'Passwords do not match'],
    ['password1', 'password1', 'Password', 'This password is too common; please choose another one'],
  ] as const) {
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm password').fill(again)
    await change(page).click()
    await expect(field(page, label)).toHaveAccessibleDescription(sentence)
    await expect(field(page, label)).toBeFocused()
  }

  await field(page, 'Password').fill('rhubarb-custard-7')
  await field(page, 'Confirm password').fill('rhubarb-custard-7')
  await field(page, 'Current password').fill('not mine at all')
  await change(page).click()
  await expect(field(page, 'Current password')).toHaveAccessibleDescription('Incorrect password')
  await expect(field(page, 'Current password')).toBeFocused()
  await expectAccessible(page)

  const message = 'Please enter your current password'
  const refusal = { detail: message, errors: [{ field: 'current_password', message }] }
  await page.route('**/api/auth/profile', (route) => route.fulfill({ status: 403, json: refusal }), {
    times: 1,
  })
  await field(page, 'Current password').fill('')
  await change(page).click()
  await expect(field(page, 'Current password')).toHaveAccessibleDescription(message)

  await field(page, 'Current password').fill(ann.password)
  await change(page).press('Enter')
  await expect(page.getByText('Password changed')).toBeVisible()
  await expect(change(page)).toBeFocused()
  await expect(field(page, 'Password')).toHaveValue('')
  await expect(field(page, 'Confirm password')).toHaveValue('')
  await expect(change(page)).toBeDisabled()
  // Other unsaved fields are neither saved nor lost.
  await expect(page).toHaveURL('/profile/edit')
  await expect(field(page, 'City')).toHaveValue('Astoria')
  await ann.actor.call(logIn, { body: { username: ann.email, password: 'rhubarb-custard-7' } })
})
