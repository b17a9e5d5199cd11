import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { getProfile } from '#contract/auth.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { expect, expectAccessible, navigate, openTab, type Person, test } from './fixtures.ts'
import { brokenPhoto, textFile } from './photos.ts'

const newcomer = {
  'First name': 'Marta',
  'Last name': 'Oduya',
  Username: 'marta_grows',
  Email: 'marta@example.com',
  Password: 'plum-crumble-42',
  'Confirm password': 'plum-crumble-42',
}

test.describe('registering', () => {
  test('shows whether the username or the e-mail is taken, and when the server gives no reason', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const marta = await world.visitor()
    const { page } = marta
    marta.allowErrors('status of 409', '/api/auth/register', 'status of 500')
    const username = world.uniqueName('marta')
    const email = `${username}@example.com`

    await page.goto('/register')
    await register(marta, { ...newcomer, Username: ann.username.toUpperCase(), Email: email })
    await expectFocusedWith(page.getByLabel('Username'), 'This username is already taken')

    await register(marta, { ...newcomer, Username: username, Email: ann.email.toUpperCase() })
    await expectFocusedWith(page.getByLabel('Email'), 'An account with this email already exists')
    await expect(page.getByText('This username is already taken')).toBeHidden()
    await expect(page).toHaveURL('/register')

    await page.route('**/api/auth/register', (route) => route.abort('connectionrefused'))
    await register(marta, newcomer)
    await expect(page.getByRole('alert')).toHaveText('No response from server. Please try again later.')
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
    for (const [label, text] of Object.entries(newcomer))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, body: '' }))
    await register(marta, newcomer)
    await expect(page.getByRole('alert')).toHaveText('An error occurred')
  })

  test('shows when the login after it fails', async ({ world }) => {
    const marta = await world.visitor()
    marta.allowErrors('status of 500')
    const username = world.uniqueName('marta')
    await marta.page.goto('/register')
    await marta.page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, body: '' }))
    await register(marta, { ...newcomer, Username: username, Email: `${username}@example.com` })
    await expect(marta.page.getByRole('alert')).toHaveText('Login failed after registration')
  })
})

test.describe('the register form', () => {
  test('shows all errors at once, focuses the first invalid field, and shows each error until the field is edited', async ({
    world,
  }) => {
    const marta = await world.visitor()
    const { page } = marta
    await page.goto('/register')
    await expect(page).toHaveTitle('Register · Rhubarb')
    await expect(page.getByRole('link', { name: 'Register' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('button', { name: 'Register' }).click()
    for (const sentence of [
      'First name is required',
      'Last name is required',
      'Username is required',
      'Email is required',
      'Password is required',
      'Please confirm your password',
    ])
      await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByLabel('First name')).toBeFocused()

    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/auth/register')) requests.push(request.url())
    })
    for (const [label, text, sentence] of [
      ['First name', ' ', 'First name is required'],
      ['Email', 'marta@', 'Invalid email format'],
      ['Confirm password', 'plum-crumble-43', 'Passwords do not match'],
    ] as const) {
      await register(marta, { ...newcomer, [label]: text })
      const field = page.getByLabel(label, { exact: true })
      await expect(field).toHaveAccessibleDescription(sentence)
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('[aria-invalid]').first()).toBeFocused()

      await field.press('End')
      await field.pressSequentially('x')
      await expect(page.getByText(sentence)).toBeHidden()
    }
    expect(requests).toEqual([])
  })
})

test.describe('the personal info form', () => {
  test('shows the error at each field, a refused photo and when saving fails', async ({ world }) => {
    const ann = await world.member('ann')
    const { page } = ann
    ann.allowErrors('Failed to load resource', 'ERR_FAILED')
    const location = { City: 'Portland', State: 'OR', Postcode: '97214' }
    await page.goto('/personal-info')
    for (const [label, text, sentence] of [
      ['City', '  ', 'City is required'],
      ['State', '', 'State is required'],
      ['Postcode', ' 9721 ', 'Postcode must be at least 5 characters.'],
    ] as const) {
      await giveLocation(ann, { ...location, [label]: text })
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(sentence)
      await expect(page.getByLabel(label)).toBeFocused()
    }

    await page.getByLabel('Add a photo').setInputFiles(textFile)
    await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove' })).toBeHidden()
    await page.getByLabel('Add a photo').setInputFiles(brokenPhoto)
    await expect(page.getByText('Image processing failed.')).toBeVisible()
    await giveLocation(ann, location)
    await expect(page.getByRole('alert')).toContainText(errorMessages.notAnImage)
    await page.getByRole('button', { name: 'Remove' }).click()

    for (const [reply, sentence] of [
      [{ status: 500, body: '' }, 'Failed to save your info'],
      [{ status: 503, json: { detail: 'Back at noon.' } }, 'Back at noon.'],
    ] as const) {
      await page.route('**/api/auth/upload-profile-image', (route) => route.fulfill({ ...reply }))
      await page.getByRole('button', { name: 'Next >' }).click()
      await expect(page.getByRole('alert')).toHaveText(sentence)
      await expect(page.getByLabel('City')).toHaveValue('Portland')
    }

    // A failure is shown on the current screen. A success does not navigate.
    const address = page.getByRole('term').filter({ hasText: 'Address' }).locator('+ dd')
    for (const goesWell of [false, true]) {
      const released = Promise.withResolvers<void>()
      await page.unroute('**/api/auth/upload-profile-image')
      await page.route('**/api/auth/upload-profile-image', async (route) => {
        await released.promise
        return goesWell ? route.continue() : route.abort()
      })
      await page.goto('/personal-info?next=%2Fmessages')
      await giveLocation(ann, location)
      await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
      await page.getByRole('link', { name: 'Back to where you were' }).click()
      await expect(page).toHaveURL('/messages')
      await navigate(page, '/profile')
      await expect(address).toHaveText('Address not available')
      released.resolve()
      if (goesWell) break
      await expect(page.getByText('Your info was not saved.')).toBeVisible()
      await page.getByRole('button', { name: 'Open' }).click()
      await expect(page).toHaveURL('/personal-info?next=%2Fmessages')
      await expect(page.getByLabel('City')).toHaveValue('Portland')
    }
    await expect(address).toHaveText('Portland, OR 97214')
    await expect(page).toHaveURL('/profile')
  })

  test('keeps its values until they are saved, sends address and apt only when they are not blank, and can be skipped', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    const { page } = ann

    await test.step('keeps its values until they are saved, and sends address and apt only when they are not blank', async () => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/upload-profile-image')) sent.push(request.postData() ?? '')
      })
      const restoredNotice = page.getByText('Your changes from before are back.')
      await page.goto('/personal-info')
      await page.getByLabel('City').fill('Portland')
      await page.reload()
      await expect(restoredNotice).toBeVisible()
      await expect(page.getByLabel('City')).toHaveValue('Portland')
      await giveLocation(ann, { State: 'OR', Postcode: '97214', Address: '  ', Apt: '' })
      await expect(page).toHaveURL('/listings/new')

      // Known fields are filled in, except the street, which is never sent back.
      await page.goto('/personal-info')
      await expect(page.getByLabel('City')).toHaveValue('Portland')
      await expect(page.getByLabel('Postcode')).toHaveValue('97214')
      await expect(restoredNotice).toHaveCount(0)
      await giveLocation(ann, { Address: '1 Elm St', Apt: '2b' })
      await expect(page).toHaveURL('/listings/new')

      expect(sent.map(fieldNames)).toEqual([
        ['city', 'state', 'postcode'],
        ['city', 'state', 'postcode', 'address', 'apt'],
      ])
    })

    await test.step('can be skipped to the first listing, or left for the page before, also in a new tab', async () => {
      await page.goto('/personal-info')
      await page.getByRole('link', { name: 'skip for now' }).click()
      await expect(page).toHaveURL('/listings/new')
      await page.goto('/personal-info?next=%2Fmessages')
      await page.getByRole('link', { name: 'skip for now' }).click()
      await expect(page).toHaveURL('/listings/new')
      await page.goBack()
      await page.getByLabel('City').fill('Astoria')
      const skip = page.getByRole('link', { name: 'Back to where you were' })
      const tab = await openTab(skip)
      await expect(tab).toHaveURL('/messages')
      await expect(page).toHaveURL('/personal-info?next=%2Fmessages')
      await expect(page.getByLabel('City')).toHaveValue('Astoria')
      await tab.close()
      await skip.click()
      await expect(page).toHaveURL('/messages')
    })
  })

  test('uploads a photo, which the profile and the form show', async ({ world }) => {
    const ann = await world.member('ann')
    await ann.page.goto('/personal-info')
    const picture = await sharp({ create: { width: 2600, height: 2000, channels: 3, background: '#a34' } })
      .png()
      .toBuffer()
    await ann.page.getByLabel('Add a photo').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: picture,
    })
    await expect(ann.page.getByRole('button', { name: 'Remove' })).toBeVisible()
    await expectAccessible(ann.page)
    await giveLocation(ann, { City: 'Portland', State: 'OR', Postcode: '97214' })
    await expect(ann.page).toHaveURL('/listings/new')

    await ann.page.goto('/profile')
    const { profile_picture } = await ann.actor.call(getProfile)
    const photo = ann.page.getByRole('main').locator(`img[src$="${profile_picture}"]`)
    await expect(photo).toHaveJSProperty('complete', true)
    await expect(photo).not.toHaveJSProperty('naturalWidth', 0)
    await ann.page.goto('/personal-info')
    await expect(photo).toBeVisible()
    await expect(ann.page.getByLabel('Change photo')).toBeAttached()
  })
})

async function expectFocusedWith(field: Locator, error: string) {
  await expect(field).toHaveAccessibleDescription(error)
  await expect(field).toBeFocused()
}

async function register({ page }: Person, form: Record<string, string>) {
  for (const [label, text] of Object.entries(form)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Register' }).click()
}

async function giveLocation({ page }: Person, form: Record<string, string>) {
  for (const [label, text] of Object.entries(form)) await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: 'Next >' }).click()
}

/** Returns the names of the parts of a multipart body. */
function fieldNames(body: string) {
  return Array.from(body.matchAll(/name="(\w+)"/g), ([, name]) => name)
}
