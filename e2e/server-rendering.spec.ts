import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { createTrade } from '#contract/trades.ts'
import { insertMessages, withDatabase } from './database.ts'
import { type Account, expect, loginRecord, long, test } from './fixtures.ts'
import { expectInMarkup, loginCookie } from './markup.ts'
import { startProxy } from './proxy.ts'
import { say } from './sample-data.ts'
import { expectShown } from './screens.ts'

const loginPath = '/login?next=%2Fmy-listings'

/** Posts a private listing, whose title names its owner. */
async function withListing<Owner extends Account>(owner: Owner): Promise<Owner & { title: string }> {
  const title = `Roots of ${owner.username}`
  await owner.actor.call(createListing, { body: { title, type_id: types.giveaway, is_public: false } })
  return { ...owner, title }
}

/** Collects every text that is on the screen in any frame, from now on and across pages. */
async function collectPaintedTexts(page: Page) {
  const texts = new Set<string>()
  await page.exposeFunction('collectText', (text: string) => texts.add(text))
  await page.addInitScript(() => {
    let last = ''
    const collect = () => {
      const text = document.body?.innerText ?? ''
      if (text !== last) Reflect.get(window, 'collectText')(text)
      last = text
      requestAnimationFrame(collect)
    }
    requestAnimationFrame(collect)
  })
  return texts
}

/** Delays every page of the app but the next one, so that the browser has time to paint member data by mistake. */
async function delayReload(page: Page) {
  let pages = 0
  // A route of Playwright would turn the HTTP cache off.
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', async ({ requestId }) => {
    pages += 1
    if (pages > 1) await sleep(500)
    await session.send('Fetch.continueRequest', { requestId })
  })
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
  return session
}

/** The console message about a page that waits for its delayed reload. */
const unusedPreload = 'was preloaded using link preload but not used'

const records: Record<string, (cookieOwner: Account) => string | null> = {
  gone: () => null,
  expired: ({ actor }) => loginRecord(actor, Date.now() - 1),
  damaged: () => '{"token"',
  'without a token': ({ actor }) => loginRecord(actor).replace('"token"', '"other"'),
  'without a username': ({ actor }) => loginRecord(actor).replace('"username"', '"other"'),
}

test('a page of a member whose stored login is gone, expired, damaged or incomplete paints nothing of the member and leads to the login', async ({
  world,
  baseURL,
}) => {
  const ann = await withListing(await world.account('ann'))
  const { page, allowErrors } = await world.visitor()
  allowErrors(unusedPreload)
  await page.goto('/login')
  const painted = await collectPaintedTexts(page)
  for (const [state, record] of Object.entries(records))
    await test.step(state, async () => {
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await page.evaluate((stored) => stored && localStorage.setItem('auth', stored), record(ann))
      await page.context().addCookies([loginCookie(ann.actor, baseURL)])
      await expectInMarkup(page, '/my-listings', ann.title)
      const delaying = await delayReload(page)
      painted.clear()

      const first = page.waitForResponse(/\/my-listings$/)
      await page.goto('/my-listings').catch(stopped)
      expect((await first).headers()['cache-control']).toBe('private, no-store')
      await expect(page).toHaveURL(loginPath)
      await expectShown(page, 'forgot your password?')
      await expect.poll(() => [...painted].join('\n')).toContain('forgot your password?')
      expect([...painted].join('\n')).not.toContain(ann.username)
      expect(await page.context().cookies()).toEqual([])
      await expect.poll(() => page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
      await delaying.detach()
    })
})

test("a page of another member than the stored login's paints nothing of that member", async ({
  world,
  baseURL,
}) => {
  const [ann, bob] = await Promise.all([
    world.account('ann').then(withListing),
    world.member('bob').then(withListing),
  ])
  const { page } = bob
  bob.allowErrors(unusedPreload)
  await page.context().addCookies([loginCookie(ann.actor, baseURL)])
  await expectInMarkup(page, '/my-listings', ann.title)
  const painted = await collectPaintedTexts(page)
  const delaying = await delayReload(page)

  await page.goto('/my-listings').catch(stopped)
  await expectShown(page, bob.title)
  await expect(page).toHaveURL('/my-listings')
  await expect.poll(() => [...painted].join('\n')).toContain(bob.title)
  expect([...painted].join('\n')).not.toContain(ann.username)
  expect(await page.context().cookies()).toMatchObject([{ value: bob.actor.token }])
  await delaying.detach()
})

/** The bootstrap script stops the page that Playwright is waiting for. */
function stopped(error: Error) {
  if (!/ERR_ABORTED|interrupted by another navigation/.test(error.message)) throw error
}

test('without the cookie the server sends the page of visitors, and the browser restores the stored login', async ({
  world,
  request,
}) => {
  const ann = await withListing(await world.member('ann'))
  const page = await request.get('/my-listings', { maxRedirects: 0 })
  expect(page.status()).toBe(200)
  expect(page.headers()['cache-control']).toBe('no-cache')
  expect(await page.text()).not.toContain('data-member')

  await ann.page.goto('/my-listings?utm_source=mail')
  await expectShown(ann.page, ann.title)
  await expect(ann.page).toHaveURL('/my-listings')
  await expect.poll(async () => (await ann.page.context().cookies())[0]?.value).toBe(ann.actor.token)
})

test('Back before the hydration reloads the page', async ({ world }) => {
  const { page } = await world.member('ann')
  await page.goto('/my-listings')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await page.getByRole('link', { name: 'marketplace' }).click()
  await expect(page).toHaveURL('/listings')
  const [scripts, reload] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let pages = 0
  let loaded = false
  page.on('requestfinished', (request) => {
    loaded ||= /\/assets\/index-.*\.js$/.test(request.url())
  })
  // On the context, because `page.route` of the fixtures turns the cookie off.
  await page.context().route('**/*', async (route) => {
    if (route.request().isNavigationRequest()) {
      pages += 1
      if (pages > 1) await reload.promise
    } else if (/\/assets\/.*\.js$/.test(route.request().url())) await scripts.promise
    return route.continue()
  })

  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-hydrating')
  await page.evaluate(() => history.back())
  await expect.poll(() => pages).toBe(2)
  scripts.resolve()
  await expect.poll(() => loaded).toBe(true)
  // Waits for the time of a hydration. Playwright does not query a page that is navigating.
  await sleep(400)
  reload.resolve()
  await expectShown(page, 'my lists')
  await expect(page).toHaveURL('/my-listings')
})

test('a form shows its values before it is hydrated, and its choices can not be changed', async ({
  world,
  baseURL,
}) => {
  const { page, actor, email } = await world.member('ann')
  await page.context().addCookies([loginCookie(actor, baseURL)])
  await expectInMarkup(page, '/profile/edit', `value="${email}"`)
  await expectInMarkup(page, '/notifications/settings', '<option value="at_once" selected="">')
  await expectInMarkup(page, '/listings/new', 'Days listed')
  const scripts = Promise.withResolvers<void>()
  await page.context().route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/listings/new', { waitUntil: 'commit' })
  const choices = [
    page.getByLabel('Type'),
    page.getByLabel('seeds', { exact: true }),
    page.getByLabel('publish the post to public'),
  ]
  for (const choice of choices) {
    await choice.focus()
    await expect(choice).not.toBeFocused()
  }
  await expect(page.getByLabel('publish the post to public')).toBeChecked()
  scripts.resolve()
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  for (const choice of choices) {
    await choice.focus()
    await expect(choice).toBeFocused()
  }
})

test('pages for everybody are hydrated for a member whose cookie is gone', async ({ world }) => {
  const { page, allowErrors } = await world.member('ann')
  allowErrors('status of 404')
  for (const address of [
    '/still-there',
    '/still-there?token=some',
    '/confirm-email',
    '/invited?invite=some',
  ]) {
    await page.context().clearCookies()
    await page.goto(address)
    // An error of the hydration fails the test.
    await expect(page.getByRole('link', { name: 'My lists' })).toHaveAttribute('href', '/my-listings')
  }
})

test('a sentence with a time that only the browser knows is not painted without it', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const body = { title: 'Sorrel', type_id: types.giveaway, is_public: true }
  const { id } = await bob.actor.call(createListing, { body })
  await ann.actor.call(createTrade, { body: { listing_id: id } })
  await ann.page.goto('/trades')
  await expect(ann.page.getByText(/^Until \w+ \d+\.$/)).toBeVisible()

  const load = async () => {
    const page = await ann.page.request.get('/trades', { headers: { 'sec-fetch-dest': 'document' } })
    return page.text()
  }
  // On a busy machine the browser loads the data of a page later.
  await expect.poll(load).toContain('Sorrel')
  expect(await load()).not.toContain('Until')
})

test('a page whose data was late on the server loads it in the browser', long, async ({ world, baseURL }) => {
  const { page, actor, title } = await withListing(await world.member('ann'))
  await page.context().addCookies([loginCookie(actor, baseURL)])
  await expectInMarkup(page, '/my-listings', title)
  await withDatabase(async (client) => {
    await client.query('begin; lock table listings in access exclusive mode')
    const response = await page.request.get('/my-listings')
    expect(await response.text()).not.toContain(title)
    await page.goto('/my-listings')
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await client.query('commit')
  })
  await expectShown(page, title)
})

test('a long conversation shows its end before it is hydrated', async ({ world, baseURL }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  await insertMessages(bob, ann, 29)
  await say(bob, ann, 'Row 30 is watered')
  const { page, actor, allowErrors } = ann
  const path = `/messages/${bob.actor.id}`
  await page.context().addCookies([loginCookie(actor, baseURL)])
  await expectInMarkup(page, path, 'Row 30 is watered')
  allowErrors('ERR_FAILED')
  await page.context().route('**/assets/*.js', (route) => route.abort())
  await page.goto(path)
  await expect(page.getByText('Row 30 is watered')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('html')).toHaveAttribute('data-hydrating')
})

test('a page whose end arrives late is hydrated then', async ({ world, baseURL }) => {
  await using proxy = await startProxy(baseURL ?? '')
  const end = Promise.withResolvers<void>()
  proxy.holdPageEnds(end.promise)
  const { page } = await world.visitor()
  const script = page.waitForEvent('requestfinished', (request) =>
    /\/assets\/index-.*\.js$/.test(request.url()),
  )
  await page.goto(`${proxy.url}/login`, { waitUntil: 'commit' })
  await script
  await expect(page.locator('html')).toHaveAttribute('data-hydrating')
  end.resolve()
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
})
