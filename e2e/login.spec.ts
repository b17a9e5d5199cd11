import type { Page } from '@playwright/test'
import { loginLifetimeMs } from '#contract/constants.ts'
import { listMessages } from '#contract/messages.ts'
import { getPreferences } from '#contract/profile.ts'
import { cutSockets, expect, expectAccessible, loginRecord, type Person, test } from './fixtures.ts'

test.describe('the login', () => {
  test('shows that it is loading, opens the lists instead of another site, and stores token, user and an expiry of seven days', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const visitor = await world.visitor()
    const released = Promise.withResolvers<void>()
    // redirect-target.test.ts has more addresses.
    await visitor.page.goto(`/login?next=${encodeURIComponent('//elsewhere.example')}`)
    await visitor.page.route('**/api/auth/login', async (route) => {
      await released.promise
      await route.continue()
    })
    const before = Date.now()
    await fillIn(visitor, ann)
    await expect(visitor.page.getByRole('button', { name: 'Loading...' })).toBeVisible()
    released.resolve()
    await expect(visitor.page).toHaveURL('/my-listings')

    const record = JSON.parse((await storedLogin(visitor)) ?? '')
    expect(record).toEqual({
      token: expect.stringMatching(/.{40}/),
      user: { id: ann.actor.id, username: ann.username },
      expiresAt: expect.any(Number),
    })
    expect(record.expiresAt).toBeGreaterThanOrEqual(before + loginLifetimeMs)
    expect(record.expiresAt).toBeLessThanOrEqual(Date.now() + loginLifetimeMs)
    await expect.poll(() => ann.actor.call(getPreferences)).toMatchObject({ time_zone: 'UTC' })
  })
})

test.describe('the login form', () => {
  test('checks its fields, shows errors and keeps the typed values', async ({ world }) => {
    const ann = await world.account('ann')
    const visitor = await world.visitor()
    const { page } = visitor

    await test.step('requires a valid e-mail address and a password, focuses the first invalid field, and clears the errors on typing', async () => {
      await page.goto('/login')
      await expect(page).toHaveTitle('Login · Rhubarb')
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByText('Email is required')).toBeVisible()
      await expect(page.getByText('Password is required')).toBeVisible()
      await expect(page.getByLabel('Email')).toBeFocused()
      await page.getByLabel('Email').pressSequentially('a')
      await expect(page.getByText('Email is required')).toBeHidden()
      await expect(page.getByText('Password is required')).toBeHidden()

      for (const [email, password, label, sentence] of [
        ['   ', 'plum-crumble', 'Email', 'Email is required'],
        ['ann', 'plum-crumble', 'Email', 'Invalid email format'],
        ['ann@example', 'plum-crumble', 'Email', 'Invalid email format'],
        ['ann@example.com', '', 'Password', 'Password is required'],
      ] as const) {
        await fillIn(visitor, { email, password })
        const field = page.getByRole('textbox', { name: label })
        await expect(field).toHaveAccessibleDescription(sentence)
        await expect(field).toHaveAttribute('aria-invalid', 'true')
        await expect(field).toBeFocused()
      }
    })

    await test.step('shows the same banner for a wrong password and an unknown e-mail, and clears it on typing', async () => {
      visitor.allowErrors('status of 401')
      await fillIn(visitor, { email: ann.email, password: 'apple-crumble' })
      await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
      await expect(page).toHaveURL('/login')
      await expectAccessible(page)

      await page.getByLabel('Password').press('End')
      await page.getByLabel('Password').pressSequentially('s')
      await expect(page.getByRole('alert')).toBeHidden()
      await fillIn(visitor, { email: `${world.uniqueName('nobody')}@example.com`, password: 'plum-crumble' })
      await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
    })

    await test.step('shows an error of the server or that it did not answer, and keeps the typed values', async () => {
      visitor.allowErrors('Failed to load resource', '/api/auth/login')
      const errors = [{ field: 'username', message: 'Invalid email format' }]
      await page.route('**/api/auth/login', (route) =>
        route.fulfill({ status: 422, json: { detail: 'Invalid email format', errors } }),
      )
      await fillIn(visitor, { email: 'ann@example.com', password: 'plum-crumble' })
      await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email format')
      await expect(page.getByLabel('Email')).toBeFocused()
      await expect(page.getByRole('alert')).toBeHidden()

      const detail = ['Sentence one', { msg: 'Sentence two' }]
      for (const [reply, sentence] of [
        [{ status: 200, json: { user: { id: 1 } } }, 'Invalid credentials'],
        [{ status: 422, json: { detail } }, 'Sentence one\nSentence two'],
      ] as const) {
        await page.route('**/api/auth/login', (route) => route.fulfill({ ...reply }))
        await fillIn(visitor, { email: 'ann@example.com', password: 'plum-crumble' })
        await expect(page.getByRole('alert')).toHaveText(sentence, { useInnerText: true })
      }
      await page.route('**/api/auth/login', (route) => route.abort('connectionrefused'))
      await fillIn(visitor, { email: 'ann@example.com', password: 'plum-crumble' })
      await expect(page.getByRole('alert')).toHaveText('No response from server. Please try again later.')
      await expect(page.getByLabel('Email')).toHaveValue('ann@example.com')
      await expect(page.getByLabel('Password')).toHaveValue('plum-crumble')
    })
  })
})

test.describe('the stored login', () => {
  test('is removed by a logout, which revokes its token', async ({ world }) => {
    const ann = await world.member('ann')
    const timeZone = () => ann.page.evaluate(() => localStorage.getItem('time-zone'))
    await ann.page.goto('/profile')
    await expect.poll(timeZone).toBe(`${ann.actor.id} UTC`)
    const logOut = ann.page.waitForResponse('**/api/auth/logout')
    await ann.page.getByRole('button', { name: 'Log out' }).click()

    await expect(ann.page).toHaveURL('/login')
    expect([await storedLogin(ann), await timeZone()]).toEqual([null, null])
    expect((await logOut).status()).toBe(204)
    expect((await ann.actor.send('GET', '/api/auth/profile')).status).toBe(401)
  })

  test('is removed by a logout that can not reach the server', async ({ world }) => {
    const ann = await world.member('ann')
    ann.allowErrors('/api/auth/logout')
    // A request that starts during the logout would be refused with a message in the console.
    await ann.page.goto('/profile', { waitUntil: 'networkidle' })
    await ann.page.route('**/api/auth/logout', (route) => route.abort('connectionrefused'))
    await ann.page.getByRole('button', { name: 'Log out' }).click()

    await expect(ann.page).toHaveURL('/login')
    expect(await storedLogin(ann)).toBeNull()
  })

  test('is shared by all tabs: a logout or a login in one applies to the others', async ({ world }) => {
    const ann = await world.member('ann')
    // A call that starts in one tab while the other logs out is refused.
    ann.allowErrors('status of 401')
    const tab = { ...ann, page: await ann.page.context().newPage() }
    await ann.page.goto('/profile')
    await tab.page.goto('/profile')
    await expect(tab.page.getByText(`@${ann.username}`)).toBeVisible()

    await ann.page.getByRole('button', { name: 'Log out' }).click()
    await expect(tab.page).toHaveURL('/login?next=%2Fprofile')
    await expect(tab.page.getByText(`@${ann.username}`)).toBeHidden()

    await expect(ann.page).toHaveURL('/login')
    await fillIn(tab, ann)
    await expect(tab.page).toHaveURL('/profile')
    await expect(ann.page).toHaveURL('/my-listings')

    // Another member's login clears what the previous member has typed.
    const bob = await world.account('bob')
    await ann.page.goto('/listings/new')
    await ann.page.getByLabel('Item name').fill('Quinces')
    await tab.page.evaluate((login) => localStorage.setItem('auth', login), loginRecord(bob.actor))
    await expect(ann.page.getByLabel('Item name')).toHaveValue('')
  })

  for (const [moment, hold, shown] of [
    ['before the page is hydrated', holdScripts, 'body'],
    ['while the page is being hydrated', holdHydration, 'h1'],
  ] as const)
    test(`ends by a logout in another tab ${moment}`, async ({ world }) => {
      const { page } = await world.member('ann')
      const release = await hold(page)
      const tab = await page.context().newPage()
      const rendered = page.locator(`html[data-hydrating][data-member] ${shown}`)
      // The first page sets the cookie. A busy server leaves the rendering to the browser.
      await expect(async () => {
        await tab.goto('/profile')
        await page.goto('/profile', { waitUntil: 'commit' })
        await expect(rendered).toBeAttached({ timeout: 2000 })
      }).toPass()
      // The page is loaded again: React can not hydrate a screen that becomes another one.
      const loaded = page.waitForRequest((request) => request.isNavigationRequest())
      await tab.evaluate(() => localStorage.removeItem('auth'))
      await release()
      await loaded
      await expect(page).toHaveURL('/login?next=%2Fprofile')
      await expect(page.getByLabel('Email')).toBeVisible()
    })

  test('ends when it expires, and a message that is sent at that moment arrives after the next login', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    const bob = await world.account('bob')
    const { page } = ann
    ann.allowErrors('ERR_CONNECTION_REFUSED', '/socket.io/')
    await cutSockets(page, 'refuses connections')
    await page.goto(`/messages/${bob.actor.id}`)
    const composer = page.getByPlaceholder('Type a message…')
    await composer.fill('See you at nine')
    // Before any call of the page notices the expiry.
    await composer.evaluate((field: HTMLTextAreaElement, lifetimeMs) => {
      const { now } = Date
      Date.now = () => now() + lifetimeMs
      field.form?.requestSubmit()
    }, loginLifetimeMs)
    await expect(page).toHaveURL(`/login?next=%2Fmessages%2F${bob.actor.id}`)
    await fillIn(ann, ann)
    await expect
      .poll(async () => {
        const messages = await bob.actor.call(listMessages, { params: { id: ann.actor.id }, query: {} })
        return messages.map(({ content }) => content)
      })
      .toEqual(['See you at nine'])
  })

  test('is checked again when a page is restored from the back/forward cache', async ({ world }) => {
    const { page, username } = await world.member('ann')
    // A request that starts during the logout would be refused with a message in the console.
    await page.goto('/profile', { waitUntil: 'networkidle' })
    await expect(page.getByText(`@${username}`)).toBeVisible()
    // A page in the back/forward cache receives no storage event, so it misses a logout.
    await page.evaluate(() => {
      localStorage.removeItem('auth')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await expect(page).toHaveURL('/login?next=%2Fprofile')
    await expect(page.getByText(`@${username}`)).toBeHidden()
  })

  test('lasts until the tab is closed where local storage is not available', async ({ world }) => {
    const ann = await world.account('ann')
    const visitor = await world.visitor()
    await visitor.page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Not here', 'SecurityError')
        },
      })
    })
    await logIn(visitor, ann)
    await expect(visitor.page).toHaveURL('/my-listings')
    await visitor.page.getByRole('link', { name: 'profile', exact: true }).click()
    await expect(visitor.page.getByText(`@${ann.username}`)).toBeVisible()
  })
})

async function logIn(person: Person, who: { email: string; password: string }) {
  await person.page.goto('/login')
  await fillIn(person, who)
}

async function fillIn({ page }: Person, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Holds the scripts of a member's pages, which load after the first paint, until the returned function is called. */
async function holdScripts(page: Page) {
  await page.addInitScript(() => {
    if (localStorage.getItem('auth') === null) return
    window.PerformanceObserver = class extends PerformanceObserver {
      override observe() {
        addEventListener('release', () => super.observe({ type: 'paint', buffered: true }))
      }
    }
  })
  return () => page.evaluate(() => void dispatchEvent(new Event('release')))
}

/** Makes a member's pages stay in hydration, whose end is a callback of the idle browser. */
async function holdHydration(page: Page) {
  await page.addInitScript(() => {
    if (localStorage.getItem('auth') !== null) window.requestIdleCallback = () => 0
  })
  return async () => undefined
}

function storedLogin({ page }: Person) {
  return page.evaluate(() => localStorage.getItem('auth'))
}
