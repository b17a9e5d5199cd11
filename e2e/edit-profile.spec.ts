import type { Request } from '@playwright/test'
import { getProfile, uploadProfileImage } from '#contract/auth.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { expect, expectAccessible, type Member, type Person, test } from './fixtures.ts'
import { brokenPhoto, photo, storedPhotos, textFile } from './photos.ts'

const save = ({ page }: Person) => page.getByRole('button', { name: 'save', exact: true })
const field = ({ page }: Person, label: string) => page.getByLabel(label, { exact: true })

test.describe('the profile form', () => {
  test('opens from the pencil with the current values, enables save only when one differs, and Back returns', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    await ann.actor.call(uploadProfileImage, { body: { city: 'Portland', state: 'OR', postcode: '97214' } })
    await ann.page.goto('/profile')
    await ann.page.getByRole('link', { name: 'Edit profile' }).click()
    await expect(ann.page).toHaveURL('/profile/edit')
    await expect(ann.page).toHaveTitle('Edit my profile · Rhubarb')
    await expect(ann.page.getByRole('heading', { name: 'edit my profile' })).toBeFocused()

    for (const [label, value] of [
      ['First name', 'Ann'],
      ['Last name', 'Gardener'],
      ['Username', ann.username],
      ['Password', ''],
      ['Email', ann.email],
      ['City', 'Portland'],
      ['State', 'OR'],
      ['Zip code', '97214'],
    ] as const) {
      await expect(field(ann, label)).toHaveValue(value)
    }
    await expect(field(ann, 'Password')).toHaveAttribute('placeholder', /blank to keep the current one/)
    await expect(ann.page.getByText(/^update/).first()).toBeVisible()

    await expect(save(ann)).toBeDisabled()
    await field(ann, 'City').fill('Astoria')
    await expect(save(ann)).toBeEnabled()
    await field(ann, 'City').fill('Portland')
    await expect(save(ann)).toBeDisabled()
    await field(ann, 'Password').fill('x')
    await expect(save(ann)).toBeEnabled()
    await field(ann, 'Password').fill('')
    await expect(save(ann)).toBeDisabled()
    await choosePhoto(ann, await photo({ width: 400, height: 400 }))
    await expect(save(ann)).toBeEnabled()
    await ann.page.getByRole('link', { name: 'Back' }).click()
    await expect(ann.page).toHaveURL('/profile')
  })

  test('restores a draft with its photo, without the password, until it is discarded or saved', async ({
    world,
  }) => {
    const ann = await openForm(await world.member('ann'))
    const restoredNotice = ann.page.getByText('Your changes from before are back.')
    await field(ann, 'City').fill('Astoria')
    await field(ann, 'Password').fill('not-for-the-browser')
    await ann.page.getByRole('link', { name: 'Back' }).click()
    await expect(ann.page).toHaveURL('/profile')
    expect(await ann.page.evaluate(() => JSON.stringify(localStorage))).not.toContain('not-for-the-browser')
    await openForm(ann)
    await expect(restoredNotice).toBeVisible()
    await expect(field(ann, 'City')).toHaveValue('Astoria')
    await expect(field(ann, 'Password')).toHaveValue('')
    await expect(save(ann)).toBeEnabled()
    await ann.page.getByRole('button', { name: 'discard' }).click()
    await expect(restoredNotice).toHaveCount(0)
    await expect(field(ann, 'City')).toHaveValue('')
    await expect(save(ann)).toBeDisabled()

    await field(ann, 'City').fill('Astoria')
    await choosePhoto(ann, await photo({ width: 300, height: 200 }))
    await expect.poll(() => storedPhotos(ann.page)).toMatchObject({ files: 1 })
    await ann.page.reload()
    await expect(restoredNotice).toBeVisible()
    await expect(ann.page.getByRole('main').locator('img[src^="blob:"]')).toBeVisible()
    await save(ann).click()
    await expect(ann.page).toHaveURL('/profile')
    expect((await ann.actor.call(getProfile)).profile_picture).not.toBeNull()
    expect(await storedPhotos(ann.page)).toMatchObject({ files: 0 })
    await openForm(ann)
    await expect(field(ann, 'City')).toHaveValue('Astoria')
    await expect(restoredNotice).toHaveCount(0)
  })

  test('asks for the current password to change the e-mail, and mails both addresses', async ({ world }) => {
    const ann = await openForm(await world.member('ann'))
    ann.allowErrors('Failed to load resource')
    await expect(field(ann, 'Current password')).toHaveCount(0)
    const email = `${world.uniqueName('ann')}@elsewhere.example`
    await field(ann, 'Email').fill(email)
    await expect(ann.page.getByText('We send a link to the new address')).toBeVisible()
    await expectAccessible(ann.page)
    await field(ann, 'Current password').fill('not mine at all')
    await save(ann).click()
    await expect(field(ann, 'Current password')).toHaveAccessibleDescription('Incorrect password')
    await expect(field(ann, 'Current password')).toBeFocused()

    const message = 'Please enter your current password'
    const refusal = { detail: message, errors: [{ field: 'current_password', message }] }
    await ann.page.route('**/api/auth/profile', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: refusal }) : route.continue(),
    )
    await field(ann, 'Current password').fill('')
    await save(ann).click()
    await expect(field(ann, 'Current password')).toHaveAccessibleDescription(message)

    await ann.page.unroute('**/api/auth/profile')
    await field(ann, 'Current password').fill(ann.actor.password)
    await save(ann).click()
    await expect(ann.page).toHaveURL('/profile')
    expect(await ann.actor.call(getProfile)).toMatchObject({ email })
    await world.mailTo(ann.email, 'address')
    const { link } = await world.mailTo(email, 'Confirm')
    await ann.page.goto(link)
    await ann.page.getByRole('button', { name: 'Confirm my address' }).click()
    await expect(ann.page.getByRole('main').getByText('Your e-mail address is confirmed')).toBeVisible()
  })

  test('sends only the changed fields, uploads a photo before it saves them, or alone', async ({ world }) => {
    const ann = await world.member('ann')

    await test.step('sends only the changed fields, and stores a new username with the same token and expiry', async () => {
      await openForm(ann)
      const before = await storedLogin(ann)
      const username = world.uniqueName('annie')
      const sent: unknown[] = []
      ann.page.on('request', (request) => {
        if (/^P(OST|UT)$/.test(request.method()) && !isTimeZone(request)) sent.push(request.postDataJSON())
      })
      await field(ann, 'Username').fill(username)
      await field(ann, 'First name').fill('Annie')
      await field(ann, 'Zip code').fill('97103')
      await save(ann).click()

      await expect(ann.page.getByText('Profile saved')).toBeVisible()
      await expect(ann.page).toHaveURL('/profile')
      await expect(ann.page.getByText('Annie Gardener')).toBeVisible()
      await expect(ann.page.getByText('97103')).toBeVisible()
      expect(sent).toEqual([{ first_name: 'Annie', username, zip_code: '97103' }])
      await expect(ann.page.getByText(`@${username}`)).toBeVisible()
      expect(await storedLogin(ann)).toEqual({ ...before, user: { id: ann.actor.id, username } })
    })

    await test.step('uploads a photo before it saves the fields, or alone, and the profile shows it', async () => {
      await openForm(ann)
      const calls: string[] = []
      ann.page.on('request', (request) => {
        if (/^P(OST|UT)$/.test(request.method()) && !isTimeZone(request))
          calls.push(`${request.method()} ${path(request.url())}`)
      })
      await choosePhoto(ann, await photo({ width: 800, height: 600 }))
      await field(ann, 'City').fill('Astoria')
      await save(ann).click()
      await expect(ann.page).toHaveURL('/profile')
      expect(calls).toEqual(['POST /api/auth/upload-profile-image', 'PUT /api/auth/profile'])
      const drafts = await ann.page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.startsWith('draft:')),
      )
      expect(drafts).toEqual([])

      const { profile_picture, city } = await ann.actor.call(getProfile)
      expect(city).toBe('Astoria')
      const shown = ann.page.getByRole('main').locator(`img[src$="${profile_picture}"]`)
      await expect(shown).toHaveJSProperty('complete', true)
      await expect(shown).not.toHaveJSProperty('naturalWidth', 0)

      calls.length = 0
      await ann.page.getByRole('link', { name: 'Edit profile' }).click()
      await expect(field(ann, 'City')).toHaveValue('Astoria')
      await choosePhoto(ann, await photo({ width: 400, height: 400 }))
      await save(ann).click()
      await expect(ann.page).toHaveURL('/profile')
      expect(calls).toEqual(['POST /api/auth/upload-profile-image'])
      expect((await ann.actor.call(getProfile)).profile_picture).not.toBe(profile_picture)
    })
  })

  test('refuses a file that is no image, and saves no field when the upload of the photo fails', async ({
    world,
  }) => {
    const ann = await openForm(await world.member('ann'))
    const { page } = ann
    ann.allowErrors('Failed to load resource')
    await choosePhoto(ann, textFile)
    await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
    await expect(save(ann)).toBeDisabled()
    await choosePhoto(ann, brokenPhoto)
    await expect(page.getByText('Image processing failed.')).toBeVisible()
    await field(ann, 'City').fill('Astoria')
    await save(ann).click()
    await expect(page.getByRole('alert')).toContainText(errorMessages.notAnImage)

    for (const [reply, sentence] of [
      [{ status: 413, json: { detail: 'Too large.' } }, 'Too large.'],
      [{ status: 500, body: '' }, 'Failed to upload image'],
    ] as const) {
      await page.route('**/upload-profile-image', (route) => route.fulfill({ ...reply }))
      await choosePhoto(ann, await photo({ width: 400, height: 400 }))
      await save(ann).click()
      await expect(page.getByRole('alert')).toHaveText(sentence)
      await expect(page).toHaveURL('/profile/edit')
      await expect(field(ann, 'City')).toHaveValue('Astoria')
      expect((await ann.actor.call(getProfile)).city).toBeNull()
    }
    await expectAccessible(page)
  })

  test('shows each error at its field, and does not upload a saved photo again after a correction', async ({
    world,
  }) => {
    const bob = await world.account('bob')
    const ann = await openForm(await world.member('ann'))
    ann.allowErrors('status of 422', 'status of 409')
    for (const [label, text, sentence] of [
      ['First name', '', 'First name is required'],
      ['Username', bob.username, 'This username is already taken'],
      ['Password', 'plum', 'Password must be at least 8 characters long'],
    ] as const) {
      const before = await field(ann, label).inputValue()
      await field(ann, label).fill(text)
      await save(ann).click()
      await expect(field(ann, label)).toHaveAccessibleDescription(sentence)
      await expect(field(ann, label)).toBeFocused()
      if (label === 'First name') await expectAccessible(ann.page)
      await field(ann, label).fill(before)
    }

    let uploads = 0
    ann.page.on('request', (request) => {
      if (request.url().includes('upload-profile-image')) uploads += 1
    })
    await choosePhoto(ann, await photo({ width: 400, height: 400 }))
    await field(ann, 'Zip code').fill('97')
    await save(ann).click()
    await expect(field(ann, 'Zip code')).toHaveAccessibleDescription(
      'Postcode must be at least 5 characters.',
    )
    await field(ann, 'Zip code').fill('97214')
    await save(ann).click()
    await expect(ann.page).toHaveURL('/profile')
    expect(uploads).toBe(1)
  })

  test('shows that it is being saved and when saving fails, also on another screen', async ({ world }) => {
    const ann = await openForm(await world.member('ann'))
    ann.allowErrors('Failed to load resource', 'ERR_FAILED')
    await field(ann, 'City').fill('Astoria')
    for (const [reply, sentence] of [
      [{ status: 503, json: { detail: 'Back at noon.' } }, 'Back at noon.'],
      [{ status: 500, body: '' }, 'Failed to update profile'],
    ] as const) {
      await ann.page.route('**/api/auth/profile', (route) => route.fulfill({ ...reply }))
      await save(ann).click()
      await expect(ann.page.getByRole('alert')).toHaveText(sentence)
      await expect(field(ann, 'City')).toHaveValue('Astoria')
    }

    // A failure is shown on the current screen. A success does not navigate.
    const { page } = ann
    const notSaved = page.getByText('Your profile was not saved.')
    const open = () => page.getByRole('button', { name: 'Open' }).click()
    for (const comeBack of [open, () => page.goBack(), undefined]) {
      const goesWell = comeBack === undefined
      const released = Promise.withResolvers<void>()
      await page.unroute('**/api/auth/profile')
      await page.route('**/api/auth/profile', async (route) => {
        if (route.request().method() === 'PUT') await released.promise
        return goesWell || route.request().method() === 'GET' ? route.continue() : route.abort()
      })
      await save(ann).click()
      await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
      await page.getByRole('link', { name: 'marketplace' }).click()
      await expect(page.getByRole('heading', { name: 'marketplace' })).toBeVisible()
      released.resolve()
      if (goesWell) break
      await expect(notSaved).toBeVisible()
      await comeBack()
      await expect(notSaved).toHaveCount(0)
      await expect(field(ann, 'City')).toHaveValue('Astoria')
    }
    await expect(page.getByText('Profile saved')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'marketplace' })).toBeVisible()
  })

  test('ends other sessions after a new password, and their login returns to the same page', async ({
    world,
  }) => {
    const ann = await openForm(await world.member('ann'))
    const phone = await world.visitor()
    phone.allowErrors('status of 401')
    await phone.page.goto('/login?next=%2Fprofile')
    await logIn(phone, ann)
    await expect(phone.page).toHaveURL('/profile')

    await field(ann, 'Password').fill('rhubarb-custard-7')
    await field(ann, 'Confirm password').fill('rhubarb-custard-7')
    await save(ann).click()
    await expect(ann.page).toHaveURL('/profile')
    await ann.page.reload()
    await expect(ann.page.getByText(`@${ann.username}`)).toBeVisible()

    await phone.page.goto('/profile/edit')
    await expect(phone.page).toHaveURL(`/login?next=${encodeURIComponent('/profile/edit')}`)
    await logIn(phone, { email: ann.email, password: 'rhubarb-custard-7' })
    await expect(phone.page).toHaveURL('/profile/edit')
  })
})

async function openForm(member: Member) {
  await member.page.goto('/profile/edit')
  await expect(field(member, 'Email')).toHaveValue(member.email)
  return member
}

async function choosePhoto({ page }: Person, file: Awaited<ReturnType<typeof photo>>) {
  await page.locator('input[type=file]').setInputFiles(file)
}

async function logIn({ page }: Person, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

function storedLogin({ page }: Person) {
  return page.evaluate(() => JSON.parse(localStorage.getItem('auth') ?? 'null'))
}

/** The app shell sends the time zone when the browser is idle. */
function isTimeZone(request: Request) {
  return path(request.url()) === '/api/auth/preferences'
}

function path(url: string) {
  return new URL(url).pathname
}
