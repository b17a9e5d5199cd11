import type { BrowserContext, Page, Worker as ServiceWorker } from '@playwright/test'
import { sendMessage } from '#contract/messages.ts'
import { getPreferences } from '#contract/profile.ts'
import { type PushMessage, pushErrorMessages } from '#contract/push.ts'
import { type Account, expect, expectAccessible, loginRecord, type Person, test } from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

const onDevice = (page: Page) => page.getByRole('switch', { name: 'Tell me on this device', exact: true })

/** Replaces the push service, which tests can not reach, and grants the permission, which a headless browser refuses. */
async function fakePushService(context: BrowserContext) {
  await context.addInitScript(() => {
    let permission: NotificationPermission = localStorage.getItem('asked') === null ? 'default' : 'granted'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      localStorage.setItem('asked', 'yes')
      permission = 'granted'
      return permission
    }
    const key = 'push service of the test'
    const subscription = {
      get endpoint() {
        return localStorage.getItem('push endpoint') ?? 'https://push.example.org/here'
      },
      toJSON: () => ({
        endpoint: subscription.endpoint,
        keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
      }),
      unsubscribe: async () => {
        localStorage.removeItem(key)
        return true
      },
    }
    // Only the members that the page uses.
    const fake: PushSubscription = Object.create(
      PushSubscription.prototype,
      Object.getOwnPropertyDescriptors(subscription),
    )
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) === null ? null : fake)
    PushManager.prototype.subscribe = async (options) => {
      localStorage.setItem(key, String(options?.applicationServerKey))
      return fake
    }
  })
}

const subscribedWith = ({ page }: Person) =>
  page.evaluate(() => localStorage.getItem('push service of the test'))

/** The service worker's globals, with the calls that the test records. */
interface Worker {
  shown: { title: string; options: NotificationOptions }[]
  registration: ServiceWorkerRegistration
  clients: { openWindow: (url: string) => Promise<void> }
}

declare const self: Worker

/** Records notifications, which a headless browser does not show. */
function recordNotifications(worker: ServiceWorker) {
  return worker.evaluate(() => {
    self.shown = []
    self.registration.showNotification = async (title, options = {}) => {
      self.shown.push({ title, options })
    }
  })
}

function shown(worker: ServiceWorker) {
  return worker.evaluate(() =>
    self.shown.map(({ title, options: { body, tag } }) => ({
      title,
      body,
      tag,
    })),
  )
}

/** Dispatches a click on the first notification. Returns the URL it opens, which a browser would open only after a real click. */
function clickNotification(worker: ServiceWorker) {
  return worker.evaluate(() => {
    const notification = { data: self.shown[0]?.options.data, close: () => undefined }
    return new Promise<string>((resolve) => {
      self.clients.openWindow = async (url) => resolve(url)
      const click = Object.assign(new Event('notificationclick'), {
        notification,
        waitUntil: () => undefined,
      })
      dispatchEvent(click)
    })
  })
}

test('push ends with a login, also with one that expired while no page was open, and begins again with the next login of the member', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  await fakePushService(page.context())
  const logIn = async () => {
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).not.toHaveURL(/login/)
  }
  await page.goto('/notifications/settings')
  await expect(onDevice(page)).not.toBeChecked()
  await onDevice(page).press('Space')
  await expect(onDevice(page)).toBeChecked()

  await test.step('an expired login', async () => {
    await page.evaluate(
      (record) => localStorage.setItem('auth', record),
      loginRecord(ann.actor, Date.now() - 1),
    )
    await page.goto('/login?next=%2Fnotifications%2Fsettings')
    await expect.poll(() => subscribedWith(ann)).toBeNull()
    await page.evaluate((record) => localStorage.setItem('auth', record), loginRecord(ann.actor))
    await page.goto('/notifications/settings')
  })

  await test.step('a logout on the landing page', async () => {
    await expect(onDevice(page)).toBeChecked()
    expect(await subscribedWith(ann)).not.toBeNull()
    await page.goto('/')
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect.poll(() => subscribedWith(ann)).toBeNull()
  })

  await test.step('a logout right after hydration', async () => {
    await page.goto('/login?next=%2Fnotifications%2Fsettings')
    await logIn()
    await expect(onDevice(page)).toBeChecked()
    expect(await subscribedWith(ann)).not.toBeNull()
    // Logs out before code is loaded that waits for an idle browser.
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const { documentElement } = document
        new MutationObserver(() => {
          const buttons = [...document.querySelectorAll('button')]
          buttons.find(({ textContent }) => textContent === 'Log out')?.click()
        }).observe(documentElement, { attributeFilter: ['data-hydrating'] })
      })
    })
    await page.goto('/profile')
    await expect(page).toHaveURL('/login')
    await expect.poll(() => subscribedWith(ann)).toBeNull()
  })
})

test('push does not begin again for another member, or for a member who has switched it off', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  await fakePushService(page.context())
  const becomes = async ({ actor }: Account) => {
    await page.evaluate((record) => localStorage.setItem('auth', record), loginRecord(actor))
    await page.goto('/notifications/settings')
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  }
  await page.goto('/notifications/settings')
  await onDevice(page).press('Space')
  await expect(onDevice(page)).toBeChecked()
  await becomes(bob)
  await expect.poll(() => subscribedWith(ann)).toBeNull()
  await expect(onDevice(page)).not.toBeChecked()

  await becomes(ann)
  await expect(onDevice(page)).toBeChecked()
  await onDevice(page).press('Space')
  await expect(onDevice(page)).not.toBeChecked()
  await becomes(bob)
  await becomes(ann)
  await expect(onDevice(page)).not.toBeChecked()
  expect(await subscribedWith(ann)).toBeNull()
})

/** Switches push on. Returns the service worker, and a function that delivers a push message to it. */
async function switchPushOn({ page }: Person, origin: string) {
  const context = page.context()
  const devTools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  await page.goto('/notifications/settings')
  await onDevice(page).press('Space')
  await expect(onDevice(page)).toBeChecked()

  await expect.poll(() => context.serviceWorkers()).toHaveLength(1)
  const [worker] = context.serviceWorkers()
  if (worker === undefined) throw new Error('No worker runs')
  await recordNotifications(worker)
  const registrationId = await registered
  async function deliver(message: PushMessage) {
    const data = JSON.stringify(message)
    await devTools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
  return { worker, deliver }
}

test('a member switches push on and off for a device, and push messages show notifications', async ({
  world,
  baseURL,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  await fakePushService(page.context())

  await test.step('a member switches push on and off for a device, also while the server does not answer', async () => {
    await page.goto('/notifications/settings')
    await expect(onDevice(page)).not.toBeChecked()
    expect(await page.evaluate(() => Notification.permission)).toBe('default')
    ann.allowErrors('422')
    await page.evaluate(() => localStorage.setItem('push endpoint', 'https://push.example.com/here'))
    await onDevice(page).press('Space')
    await expect(page.getByText(pushErrorMessages.unknownService)).toBeVisible()
    await expect(onDevice(page)).not.toBeChecked()
    expect(await subscribedWith(ann)).toBeNull()

    await page.evaluate(() => localStorage.removeItem('push endpoint'))
    await onDevice(page).press('Space')
    await expect(onDevice(page)).toBeChecked()
    await expect(page.getByText('Between 21:00 and 8:00 it waits')).toBeVisible()
    expect(await subscribedWith(ann)).toMatch(/^B[\w-]{86}$/)
    expect(await ann.actor.call(getPreferences)).toMatchObject({ time_zone: 'UTC' })
    await expectAccessible(page)

    await page.reload()
    await expect(onDevice(page)).toBeChecked()
    await onDevice(page).press('Space')
    await expect(onDevice(page)).not.toBeChecked()
    expect(await subscribedWith(ann)).toBeNull()
    await onDevice(page).press('Space')
    await expect(onDevice(page)).toBeChecked()

    ann.allowErrors('ERR_FAILED')
    await page.route('**/api/push/subscriptions', (route) => route.abort())
    await onDevice(page).press('Space')
    await expect(onDevice(page)).not.toBeChecked()
    expect(await subscribedWith(ann)).toBeNull()
    await expect(page.getByText('Not changed.')).toHaveCount(0)
    await page.unroute('**/api/push/subscriptions')
  })

  await test.step('a push message shows a notification that opens its page, unless a visible page shows that page', async () => {
    const origin = baseURL ?? ''
    const [bob, cas] = [await world.account('bob'), await world.account('cas')]
    for (const { actor } of [bob, cas])
      await actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Plums?' } })
    const response = await page.request.get('/sw.js')
    expect(response.headers()).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': expect.stringContaining('javascript'),
    })
    const { worker, deliver } = await switchPushOn(ann, origin)
    const messageFrom = ({ actor, username }: Account): PushMessage => ({
      category: 'message',
      title: `${username} wrote to you`,
      body: 'Plums?',
      path: `/messages/${actor.id}`,
      tag: `messages-${actor.id}`,
    })
    const fromBob = { title: `${bob.username} wrote to you`, body: 'Plums?', tag: `messages-${bob.actor.id}` }
    const fromCas = { title: `${cas.username} wrote to you`, body: 'Plums?', tag: `messages-${cas.actor.id}` }

    await deliver({
      category: 'match',
      title: 'Zucchini',
      body: 'From bob',
      path: '/listings/7',
      tag: 'match',
    })
    await expect.poll(() => shown(worker)).toEqual([{ title: 'Zucchini', body: 'From bob', tag: 'match' }])
    expect(await clickNotification(worker)).toBe(`${origin}/listings/7`)

    await recordNotifications(worker)
    await deliver(messageFrom(bob))
    await expect.poll(() => shown(worker)).toEqual([fromBob])
    expect(await clickNotification(worker)).toBe(`${origin}/messages/${bob.actor.id}`)

    // Opens it from the list, so that its URL differs from the one the page was loaded with.
    await page.goto('/messages')
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await page.getByRole('link', { name: bob.username }).first().click()
    await expect(page).toHaveURL(`/messages/${bob.actor.id}`)
    await expect(page.getByRole('log').getByText('Plums?')).toBeVisible()
    await deliver(messageFrom(bob))
    await deliver(messageFrom(cas))
    await expect.poll(() => shown(worker)).toEqual([fromBob, fromCas])
  })
})
