import type { Page } from '@playwright/test'
import { logOut } from '#contract/auth.ts'
import { loginLifetimeMs, types } from '#contract/constants.ts'
import { listAuditLog } from '#contract/desk.ts'
import { actOnMember } from '#contract/desk-members.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { undoAction } from '#contract/report-cases.ts'
import { clickTryAgain, expect, expectAccessible, type Person, test } from './fixtures.ts'
import { startProxy } from './proxy.ts'
import { makeModerator } from './sample-data.ts'

// Other specs block the service worker.
test.use({ serviceWorkers: 'allow' })

/** Waits until the service worker is active and controls the page. */
async function serviceWorkerActive(page: Page) {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

/** Returns the names of the persisted query cache and the picture cache, if they exist. */
function cacheNames(page: Page) {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return [...databases, ...(await caches.keys())].filter(
      (name) => name === 'query-cache' || name === 'pictures',
    )
  })
}

/** Returns whether the persisted query cache contains these words. */
function isCached(page: Page, words: string) {
  return page.evaluate(
    (words) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('query-cache')
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => resolve(false)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('queries').objectStore('queries').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(reading.result).includes(words))
          }
        }
      }),
    words,
  )
}

/** Goes offline. The browser logs an error for every request. */
async function goOffline({ page, allowErrors }: Person) {
  allowErrors('net::ERR_INTERNET_DISCONNECTED', 'WebSocket connection')
  await page.context().setOffline(true)
}

/** Waits for a text that appears after the query client's retries, whose pauses the page's clock skips. */
async function expectAfterRetries(page: Page, text: string) {
  await expect(async () => {
    await page.clock.fastForward(2000)
    await expect(page.getByText(text)).toBeVisible({ timeout: 200 })
  }).toPass()
}

const banner = (page: Page) => page.getByText(/^You are offline\. This is from \d+:\d\d [AP]M\.$/)

test('visited screens are readable offline, others show an error, and the end of the session clears the caches', async ({
  world,
}) => {
  const [ann, bob] = await Promise.all([world.member('ann'), world.account('bob')])
  const zucchini = { title: `Zucchini of ${ann.username}`, type_id: types.giveaway, is_public: true }
  await ann.actor.call(createListing, { body: zucchini })
  const greeting = { receiver_id: ann.actor.id, content: 'Is the zucchini still there?' }
  await bob.actor.call(sendMessage, { body: greeting })
  const { page } = ann

  await page.goto('/my-listings')
  await serviceWorkerActive(page)
  await page.goto(`/messages/${bob.actor.id}`)
  await expect(page.getByText(greeting.content)).toBeVisible()
  await expect.poll(() => isCached(page, greeting.content)).toBe(true)
  await page.goto('/my-listings')
  await page.getByRole('link', { name: zucchini.title }).click()
  await expect(page.getByRole('heading', { name: zucchini.title })).toBeVisible()
  await expect.poll(() => isCached(page, zucchini.title)).toBe(true)

  // The cached app shell has no member's data, unlike the pages that were visited.
  const shell = await page.evaluate(async () => (await caches.match('/my-listings'))?.text())
  expect(shell).toContain('id="root"')
  expect(shell).not.toMatch(new RegExp(`data-member|${ann.username}`))
  await goOffline(ann)
  await page.goto('/my-listings')
  await expect(banner(page)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: zucchini.title }).click()
  await expect(page.getByRole('heading', { name: zucchini.title })).toBeVisible()
  await page.goto(`/messages/${bob.actor.id}`)
  await expect(page.getByText(greeting.content)).toBeVisible()

  // accessibility.spec.ts shows the error of every screen.
  await test.step('a screen that is not cached shows an error offline, and Try again loads it', async () => {
    await page.clock.install()
    await page.goto('/myfriends')
    await expectAfterRetries(page, 'Failed to load data')
    // The query client also refetches when the network is back. Here only the click may succeed.
    ann.allowErrors('net::ERR_FAILED')
    await page.route('**/api/**', (route) => route.abort())
    await page.context().setOffline(false)
    await clickTryAgain(page, '**/api/**')
    await expect(page.getByRole('main').getByText('No friends yet.')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  })
  await page.goto('/my-listings')
  await expect(page.getByRole('link', { name: zucchini.title })).toBeVisible()
  await expect(banner(page)).toBeHidden()
  await ann.actor.call(logOut)
  ann.allowErrors('401')
  await page.goto('/my-listings')
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => cacheNames(page)).toEqual([])
})

test('withdrawn messages leave the browser that keeps them for offline, and come back when that is undone', async ({
  world,
}) => {
  const [ann, sam, maud] = await Promise.all([
    world.member('ann'),
    world.account('sam'),
    world.account('maud'),
  ])
  await makeModerator(maud)
  const { page } = ann
  const [spam, answer] = [`Pills ${crypto.randomUUID()}`, `No, thank you ${crypto.randomUUID()}`]
  await sam.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: spam } })
  await ann.actor.call(sendMessage, { body: { receiver_id: sam.actor.id, content: answer } })
  await sam.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: spam } })
  const act = (action: 'suspend' | 'withdraw') =>
    maud.actor.call(actOnMember, {
      params: { id: sam.actor.id },
      body: { action, rule: 'spam', reason: 'Advertising' },
    })
  const undo = async () => {
    const query = { action: 'messages_withdrawn', target_id: sam.actor.id } as const
    const [entry] = await maud.actor.call(listAuditLog, { query })
    await maud.actor.call(undoAction, { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } })
  }
  const conversation = `/messages/${sam.actor.id}`
  const kept = (text: string) => expect.poll(() => isCached(page, text))
  const seeAll = async () => {
    await page.goto('/messages')
    await expect(page.getByText(spam)).toBeVisible()
    await page.goto(conversation)
    await expect(page.getByText(spam)).toHaveCount(2)
    await kept(spam).toBe(true)
  }
  // The public profile of a suspended member.
  ann.allowErrors(/status of 404.*\/public/)
  await act('suspend')
  await page.goto('/my-listings')
  await serviceWorkerActive(page)
  await seeAll()

  await test.step('while the page shows something else', async () => {
    const connected = page.waitForEvent('websocket')
    await page.goto('/my-listings')
    await (await connected).waitForEvent('framereceived')
    await act('withdraw')
    await kept(spam).toBe(false)
    await goOffline(ann)
    await page.goto(conversation)
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.getByText(spam)).toHaveCount(0)
    await page.context().setOffline(false)
  })
  await test.step('while the open page is not connected', async () => {
    await undo()
    await seeAll()
    await page.context().setOffline(true)
    await act('withdraw')
    await expect(page.getByText(spam)).toHaveCount(2)
    await page.context().setOffline(false)
    await expect(page.getByText(spam)).toHaveCount(0)
    await expect(page.getByText(answer)).toBeVisible()
    await kept(spam).toBe(false)
    await kept(answer).toBe(true)
    await page.context().setOffline(true)
    await undo()
    await page.context().setOffline(false)
    await expect(page.getByText(spam)).toHaveCount(2)
  })
  await test.step('while no page is open', async () => {
    await kept(spam).toBe(true)
    await page.goto('about:blank')
    await act('withdraw')
    await page.goto('/my-listings')
    await kept(spam).toBe(false)
  })
})

test("the next member on the same device never sees the previous member's cached data", async ({ world }) => {
  const [ann, bob, cas] = [await world.member('ann'), await world.account('bob'), await world.account('cas')]
  const words = `For ${ann.username} alone`
  await cas.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: words } })
  const { page } = ann
  const annsScreens = [
    { path: '/profile', shows: ann.email, otherwise: 'Failed to load profile data' },
    { path: `/messages/${cas.actor.id}`, shows: words, otherwise: 'Failed to load data' },
  ]
  await page.goto('/my-listings')
  await serviceWorkerActive(page)
  for (const { path, shows } of annsScreens) {
    await page.goto(path)
    await expect(page.getByText(shows).first()).toBeVisible()
    await expect.poll(() => isCached(page, shows)).toBe(true)
  }

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Email').fill(bob.email)
  await page.getByLabel('Password').fill(bob.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/my-listings')
  await page.getByRole('link', { name: 'profile', exact: true }).click()
  await expect(page.getByText(bob.email).first()).toBeVisible()
  await expect(page.getByText(ann.username)).toBeHidden()
  await expect.poll(() => isCached(page, bob.email)).toBe(true)
  for (const { shows } of annsScreens) expect(await isCached(page, shows)).toBe(false)
  await goOffline(ann)
  await page.clock.install()
  for (const { path, shows, otherwise } of annsScreens.slice(1)) {
    await page.goto(path)
    await expectAfterRetries(page, otherwise)
    await expect(page.getByText(shows)).toBeHidden()
  }

  // The login changes on a page without our scripts, so the cache still holds Bob's data.
  await page.context().setOffline(false)
  // Chromium's image viewer has inline styles, which the content security policy forbids.
  ann.allowErrors('Applying inline style', 'style-src-attr')
  await page.goto('/icons/icon-192.png')
  const { token, username, id: annsId } = ann.actor
  const auth = { token, user: { id: annsId, username }, expiresAt: Date.now() + loginLifetimeMs }
  await page.evaluate((record) => localStorage.setItem('auth', record), JSON.stringify(auth))
  await page.context().setOffline(true)
  await page.goto('/profile')
  await expectAfterRetries(page, 'Failed to load profile data')
  await expect(page.getByText(bob.email)).toBeHidden()
  await page.context().setOffline(false)
})

/** Returns the URL of the first script, which differs between versions. */
function version(page: Page) {
  return page.evaluate(() => document.documentElement.dataset.version)
}

test('a new version is offered, and the old one runs until the reload', async ({ world, baseURL }) => {
  await using server = await startProxy(baseURL ?? '')
  const { email, password } = await world.account('ann')
  const { page } = await world.visitor()
  await page.goto(`${server.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'my lists' })).toBeVisible()
  await serviceWorkerActive(page)
  const older = await version(page)

  server.deploy()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('A new version is here.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'profile', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
  expect(await version(page)).toBe(older)

  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => version(page)).not.toBe(older)
  await expect(page.getByRole('heading', { name: 'my profile' })).toBeVisible()
  await expect(page.getByText('A new version is here.')).toBeHidden()
  await page.close()
})
