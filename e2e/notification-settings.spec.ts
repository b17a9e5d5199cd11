import { getPreferences, updatePreferences } from '#contract/profile.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test('the settings of notifications are reached from the bell and from the profile', async ({ world }) => {
  const { page } = await world.member('ann')
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/my-listings')
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('link', { name: 'Notification settings' }).click()
    await expect(page).toHaveURL('/notifications/settings')
    await expect(page.getByRole('heading', { name: 'notification settings' })).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Tell me on this device' })).toBeVisible()
    await expect(page.getByText('The bell tells you what is new.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/notifications')
  }
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await expect(page).toHaveURL('/notifications/settings')
})

test('mail preferences can be saved only when they differ, and show an error when saving fails', async ({
  world,
}) => {
  const ann = await world.member('ann')
  ann.allowErrors('Failed to load resource')
  await ann.actor.call(updatePreferences, {
    body: { mail_matches: 'daily', mail_unread: true, match_radius: 7 },
  })
  await ann.page.goto('/notifications/settings')
  const mail = ann.page.getByRole('region', { name: 'mail' })
  const saveMail = mail.getByRole('button', { name: 'save mail preferences' })
  await expect(mail.getByLabel('Matches with my wish list')).toHaveValue('daily')
  await expect(mail.getByLabel('How far away')).toHaveValue('7')
  await expect(mail.getByLabel('Unread messages')).toBeChecked()
  await expect(saveMail).toBeDisabled()

  // Keeps what was changed elsewhere, for example by the link of a mail.
  await ann.actor.call(updatePreferences, { body: { mail_trades: false } })
  await mail.getByLabel('Matches with my wish list').selectOption('never')
  await mail.getByLabel('How far away').selectOption('anywhere')
  await mail.getByText('Unread messages').click()
  await mail.getByLabel('My listings that end soon, and lower prices of those I asked about').uncheck()
  await saveMail.click()
  await expect(ann.page.getByText('Mail preferences saved')).toBeVisible()
  await expect(saveMail).toBeDisabled()
  expect(await ann.actor.call(getPreferences)).toEqual({
    mail_matches: 'never',
    mail_unread: false,
    mail_listings: false,
    mail_trades: false,
    match_radius: null,
    time_zone: 'UTC',
  })
  await expect(mail.getByLabel('Steps of my trades')).not.toBeChecked()

  await ann.page.route('**/api/auth/preferences', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await mail.getByLabel('How far away').selectOption('within 25 miles')
  await saveMail.click()
  await expect(ann.page.getByRole('alert')).toHaveText('An error occurred')
  await expect(mail.getByLabel('How far away')).toHaveValue('25')
})

test('a browser with a denied notification permission gets an explanation instead of the switch', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { value: 'denied' })
  })
  await page.goto('/notifications/settings')
  await expect(page.getByText('This browser blocks our notifications.')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Tell me on this device', exact: true })).toHaveCount(0)
})
