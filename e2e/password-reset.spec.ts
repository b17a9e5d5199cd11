import { getProfile } from '#contract/auth.ts'
import { expect, expectAccessible, type Person, test } from './fixtures.ts'

const neutral = 'If an account exists with this email, you will receive a password reset link'
const newPassword = 'rhubarb-custard-7'

test.describe('the forgot-password screen', () => {
  test('mails a link that works once, ends all sessions and sets a new password, which logs the member in', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    ann.allowErrors('status of 401')
    const visitor = await world.visitor()
    visitor.allowErrors('status of 400')
    const { page } = visitor
    await page.goto('/login')
    await page.getByRole('link', { name: 'forgot your password?' }).click()
    await expect(page).toHaveURL('/forgot-password')
    await expect(page).toHaveTitle('Forgot password · Rhubarb')
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
    // The live region is in the page before its text.
    await expect(page.getByRole('status')).toBeAttached()
    await requestReset(visitor, ann.email)
    await expect(page.getByRole('status')).toHaveText(neutral)
    await expect(page.getByRole('main').getByText(neutral)).toBeVisible()

    const { link } = await world.mailTo(ann.email, 'Set a new password')
    await page.goto(link)
    await expect(page).toHaveTitle('New password · Rhubarb')
    // Tells password managers whose password it is.
    await expect(page.locator('input[autocomplete=username]')).toHaveValue(ann.email)
    await setPassword(visitor, newPassword)
    await expect(page.getByRole('status')).toHaveText('Your password has been reset')
    await expectAccessible(page)
    await expect(page).toHaveURL('/login')

    await page.goto(link)
    await setPassword(visitor, 'another-plum-crumble-3')
    await expect(page.getByRole('alert')).toHaveText('This link was used already. Please request a new one.')
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(page).toHaveURL('/forgot-password')
    await ann.page.goto('/profile')
    await expect(ann.page).toHaveURL('/login?next=%2Fprofile')

    await page.goto('/login')
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password').fill(newPassword)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL('/my-listings')
  })

  test('checks the address, shows when the request fails, and shows the same message for an unknown address', async ({
    world,
  }) => {
    const visitor = await world.visitor()
    const { page } = visitor

    await test.step('requires a valid e-mail address, and shows when the request fails', async () => {
      visitor.allowErrors('Failed to load resource')
      await page.goto('/forgot-password')
      for (const [email, sentence] of [
        ['', 'Email is required'],
        ['ann@example', 'Invalid email address'],
      ] as const) {
        await requestReset(visitor, email)
        await expect(page.getByLabel('Email')).toHaveAccessibleDescription(sentence)
        await expect(page.getByLabel('Email')).toBeFocused()
        await expect(page.getByRole('main').getByText(neutral)).toBeHidden()
      }
      for (const [reply, role, sentence] of [
        [{ status: 429, json: { detail: 'Too many attempts.' } }, 'alert', 'Too many attempts.'],
        [{ status: 503, json: { message: 'Back at noon.' } }, 'status', 'Back at noon.'],
      ] as const) {
        await page.route('**/request-password-reset', (route) => route.fulfill({ ...reply }))
        await requestReset(visitor, 'ann@example.com')
        await expect(page.getByRole(role)).toHaveText(sentence)
        await expect(page.getByRole('main').getByText(neutral)).toBeHidden()
      }
    })

    await test.step('shows the same message for an unknown address immediately, while the request is pending', async () => {
      const released = Promise.withResolvers<void>()
      await page.route('**/api/auth/request-password-reset', async (route) => {
        await released.promise
        await route.continue()
      })
      await requestReset(visitor, `${world.uniqueName('nobody')}@example.com`)
      await expect(page.getByRole('main').getByText(neutral)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible()

      released.resolve()
      await expect(page.getByRole('button', { name: 'Reset Password' })).toBeVisible()
      await expect(page.getByRole('main').getByText(neutral)).toBeVisible()
      await page.getByRole('link', { name: 'Remembered your password?' }).click()
      await expect(page).toHaveURL('/login')
    })
  })
})

test.describe('a reset link', () => {
  test('requires a token and a new password, and shows that the request is pending, and each failure', async ({
    world,
  }) => {
    const visitor = await world.visitor()
    const { page } = visitor

    await test.step('without a token links to the forgot-password screen', async () => {
      await page.goto('/reset-password?token=')
      await expect(page.getByText('Invalid or missing reset token')).toBeVisible()
      await expect(page.getByText('Please request a new password reset link.')).toBeVisible()
      await page.getByRole('link', { name: 'Go to Forgot Password' }).click()
      await expect(page).toHaveURL('/forgot-password')
    })

    await test.step('requires a new password of at least 8 characters, typed twice', async () => {
      const response = await page.goto('/reset-password?token=some')
      // Hides the token from other sites.
      expect(response?.headers()['referrer-policy']).toBe('same-origin')
      for (const [password, again, label, sentence] of [
        ['', '', 'New password', 'New password is required.'],
        ['plum-42', 'plum-42', 'New password', 'Password must be at least 8 characters long.'],
        ['plum-crumble-42', 'plum-crumble-43', 'Confirm new password', 'Passwords do not match.'],
      ] as const) {
        await setPassword(visitor, password, again)
        const field = page.getByLabel(label, { exact: true })
        await expect(field).toHaveAccessibleDescription(sentence)
        await expect(field).toBeFocused()
        await field.press('End')
        await field.pressSequentially('x')
        await expect(page.getByText(sentence)).toBeHidden()
      }
    })

    await test.step('shows that the request is pending, and each failure', async () => {
      visitor.allowErrors('Failed to load resource', '/api/auth/reset-password')
      const released = Promise.withResolvers<void>()
      await page.route('**/api/auth/reset-password', async (route) => {
        await released.promise
        await route.continue()
      })
      await setPassword(visitor, newPassword)
      await expect(page.getByRole('button', { name: 'Resetting...' })).toBeVisible()
      released.resolve()
      await expect(page.getByRole('alert')).toHaveText('Invalid or expired reset token')

      await page.route('**/api/auth/reset-password', (route) => route.fulfill({ status: 500, body: '' }))
      await setPassword(visitor, newPassword)
      await expect(page.getByRole('alert')).toHaveText('An unknown error occurred.')

      await page.evaluate(() => {
        const { stringify } = JSON
        JSON.stringify = (value: unknown) => {
          if (Object(value).new_password) throw new Error('A browser that can not write')
          return stringify(value)
        }
      })
      await setPassword(visitor, newPassword)
      await expect(page.getByRole('alert')).toHaveText('An unexpected error occurred.')
    })
  })
})

test.describe('a confirmation link', () => {
  test('is sent again from the banner that asks for the confirmation', async ({ world }) => {
    const ann = await world.member('ann')
    const { page } = ann
    const banner = page.getByText('The bell tells you what is new.')
    await page.goto('/profile')
    await expect(banner).toBeVisible()
    await expect(page.getByText('(not confirmed)')).toBeVisible()
    await page.goto('/my-listings')
    await expect(banner).toContainText(ann.email)
    await page.getByRole('button', { name: 'Send it again' }).click()
    await expect(page.getByText('We have sent you a new confirmation link')).toBeVisible()
    await expectAccessible(page)

    const { link } = await world.mailTo(ann.email, 'Confirm your e-mail address')
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm my address' }).click()
    await expect(page.getByRole('main').getByText('Your e-mail address is confirmed')).toBeVisible()
    await page.getByRole('link', { name: 'My lists' }).click()
    await expect(page.getByRole('heading', { name: 'my lists' })).toBeVisible()
    await expect(banner).toHaveCount(0)
    await page.goto('/profile')
    await expect(page.getByText('(confirmed)')).toBeVisible()
  })

  test('confirms by a press only, says what is wrong with a link, and leads a visitor to the login', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const visitor = await world.visitor()
    const { page } = visitor
    visitor.allowErrors('/api/auth/confirm-email', 'status of 400')
    const confirm = page.getByRole('button', { name: 'Confirm my address' })
    await page.goto('/confirm-email?token=42')
    await confirm.click()
    await expect(page.getByRole('alert')).toHaveText(
      'This link is unknown. Please check that you have copied all of it.',
    )
    await expect(confirm).toHaveCount(0)

    const { link } = await world.mailTo(ann.email, 'Welcome to Rhubarb')
    await page.route('**/api/auth/confirm-email', (route) => route.abort('connectionrefused'))
    await page.goto(link)
    await confirm.click()
    await expect(page.getByRole('alert')).toBeVisible()
    expect(await ann.actor.call(getProfile)).toMatchObject({ email_confirmed: false })
    await page.unroute('**/api/auth/confirm-email')
    await confirm.click()
    await expect(page.getByRole('main').getByText('Your e-mail address is confirmed')).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await confirm.click()
    await expect(page.getByRole('main').getByText('Your e-mail address is already confirmed')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL('/login')
  })
})

test('the link "This wasn’t me" takes an address from an account by a press, and its member is asked for another one', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const visitor = await world.visitor()
  const { page } = visitor
  const { text } = await world.mailTo(ann.email, 'Welcome to Rhubarb')
  await page.goto(/This wasn’t me: (\S+)/.exec(text)?.[1] ?? '')
  await expect(page).toHaveTitle('This wasn’t me · Rhubarb')
  const press = page.getByRole('button', { name: 'This wasn’t me' })
  await expect(press).toBeEnabled()
  await expectAccessible(page)
  expect(await ann.actor.call(getProfile)).toMatchObject({ email: ann.email })
  await press.press('Enter')
  await expect(
    page.getByRole('main').getByText('No account has your e-mail address by this registration any more'),
  ).toBeVisible()
  await expectAccessible(page)

  await ann.page.goto('/profile')
  await expect(ann.page.getByText('No e-mail address', { exact: true })).toBeVisible()
  await expectAccessible(ann.page)
  await ann.page.getByRole('link', { name: 'add your own' }).click()
  await expect(ann.page.getByLabel('Email')).toHaveValue('')
})

async function requestReset({ page }: Person, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

async function setPassword({ page }: Person, password: string, again = password) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(again)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}
