import type { Page } from '@playwright/test'
import { getInvitationLink } from '#contract/invitations.ts'
import { expect, long, test } from './fixtures.ts'
import { startProxy } from './proxy.ts'

// Other specs block the service worker.
test.use({ serviceWorkers: 'allow' })

/** Waits until the service worker is active and controls the page. */
async function serviceWorkerActive(page: Page) {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

/** Returns the stored HTML pages of all caches by their paths. */
function storedPages(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const stored: [string, string][] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        if (response?.headers.get('content-type')?.includes('html'))
          stored.push([new URL(request.url).pathname, await response.text()])
      }
    }
    return Object.fromEntries(stored)
  })
}

/** Writes a stored page again with another text or policy. */
function changeStored(page: Page, path: string, change: { add?: string; policyOf?: string }) {
  return page.evaluate(
    async ([path, { add = '', policyOf }]) => {
      const cache = await caches.open('pages')
      const stored = await cache.match(path)
      if (stored === undefined) throw new Error(`${path} is not stored`)
      const headers = new Headers(stored.headers)
      const other = policyOf && (await fetch(policyOf, { credentials: 'omit' })).headers
      if (other) headers.set('content-security-policy', other.get('content-security-policy') ?? '')
      await cache.put(path, new Response((await stored.text()) + add, { headers }))
    },
    [path, change] as const,
  )
}

async function logInAt(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'my lists' })).toBeVisible()
}

test('of the pages a guest visits none is stored, and a member who starts offline gets the app shell', async ({
  world,
}) => {
  const [ann, bob] = await Promise.all([world.account('ann'), world.account('bob')])
  const { url } = await ann.actor.call(getInvitationLink)
  const { searchParams } = new URL(url)
  const { page, allowErrors } = await world.member('cas')
  await page.goto('/profile')
  await serviceWorkerActive(page)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  await page.reload()
  await page.goto(`/invited?invite=${searchParams.get('invite')}`)
  await expect(page.getByRole('main').getByText(ann.username).first()).toBeVisible()
  await page.goto('/login')

  const pages = await storedPages(page)
  expect(Object.keys(pages).sort()).toEqual(['/', '/my-listings'])
  expect(pages['/my-listings']).toContain('id="root"')
  expect(Object.values(pages).join()).not.toContain(ann.username)

  await logInAt(page, bob)
  // The drawing of the empty list may not be cached yet.
  allowErrors('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED', 'WebSocket connection')
  await page.context().setOffline(true)
  const shell = await page.goto('/my-listings')
  expect(await shell?.text()).not.toContain('Password')
  await expect(page.getByRole('heading', { name: 'my lists' })).toBeVisible()
  await page.context().setOffline(false)
})

for (const start of ['/profile', '/']) {
  test(`a logout at ${start} replaces the stored pages`, async ({ world }) => {
    const { page } = await world.member('ann')
    await page.goto('/my-listings')
    await serviceWorkerActive(page)
    await page.goto(start)
    await changeStored(page, '/my-listings', { add: 'left by a member' })
    await changeStored(page, '/', { add: 'left by a member' })

    await page
      .getByRole('button', { name: /^Log ?out$/ })
      .first()
      .click()

    await expect
      .poll(async () => Object.values(await storedPages(page)).filter((page) => page.includes('left by')))
      .toEqual([])
    expect(Object.keys(await storedPages(page)).sort()).toEqual(['/', '/my-listings'])
  })
}

test('a stored page is never answered with the policy of another', async ({ world }) => {
  const { page, allowErrors } = await world.member('ann')
  await page.goto('/my-listings')
  await serviceWorkerActive(page)
  await changeStored(page, '/my-listings', { policyOf: '/login' })
  allowErrors('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED', 'WebSocket connection')
  await page.context().setOffline(true)

  // With the other policy the browser would refuse the inline scripts, and the page would stay empty.
  await expect(page.goto('/profile')).rejects.toThrow('net::ERR_')
  await page.context().setOffline(false)
})

test('a page of the network that has the policy of another is fetched again, and then the stored one is served', async ({
  world,
  baseURL,
}) => {
  await using server = await startProxy(baseURL ?? '')
  const ann = await world.account('ann')
  const { page } = await world.visitor()
  await page.goto(`${server.url}/login`)
  await logInAt(page, ann)
  await serviceWorkerActive(page)

  for (const path of ['/profile', '/login', '/']) {
    server.mixPages(1)
    await page.goto(server.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  }
  server.mixPages(2)
  const shell = await page.goto(`${server.url}/profile`)
  expect(await shell?.text()).not.toContain('data-member')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The test fails if a policy refused a script.
})

test(
  'pages run their scripts when a new version comes while the network is slow',
  long,
  async ({ world, baseURL }) => {
    await using server = await startProxy(baseURL ?? '')
    const ann = await world.account('ann')
    const { page } = await world.visitor()
    await page.goto(`${server.url}/login`)
    await logInAt(page, ann)
    await serviceWorkerActive(page)

    // The new worker stores its pages while the old one's are read.
    // Which of them is active afterwards differs: one that is installed after the old one has answered sometimes waits until that is stopped.
    server.deploy()
    for (const path of ['/profile', '/my-listings']) {
      const network = Promise.withResolvers<void>()
      server.holdPages(network.promise)
      await page.evaluate(() => {
        void navigator.serviceWorker.getRegistration().then((worker) => worker?.update())
      })
      const shell = await page.goto(server.url + path)
      expect(shell?.fromServiceWorker()).toBe(true)
      expect(await shell?.text()).not.toContain('data-member')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      network.resolve()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    // The test fails if a policy refused a script.
    await page.close()
  },
)
