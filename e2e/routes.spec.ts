import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { photo } from '#test/pictures.ts'
import { expect, long, test } from './fixtures.ts'
import { address, memberRoutes, routes } from './routes.ts'
import { expectShown } from './screens.ts'

/** The console message of a 404 page. */
const notFoundError = /status of 404.*\/no-such-page/

test('every address answers with a page, and an unknown one with 404, also with a trailing slash', async ({
  request,
}) => {
  const ids = { neighbor: 7, mine: 7, theirs: 7 }
  for (const route of [...memberRoutes, ...routes.map(({ route }) => route)]) {
    const status = route.endsWith('/no-such-page') ? 404 : 200
    const path = address(route, ids)
    const response = await request.get(path, { maxRedirects: 0 })
    expect([response.status(), path]).toEqual([status, path])
    expect(response.headers()['content-type']).toContain('text/html')

    const withSlash = path.replace(/(?<=\w)(?=\?|$)/, '/')
    const followed = await request.get(withSlash)
    expect([followed.status(), withSlash]).toEqual([status, withSlash])
  }
})

/**
 * Navigates without a page load: guards run at each navigation, so one page is enough for many addresses. Waits for the hydration,
 * because React would hydrate the page as another one's.
 */
async function navigate(page: Page, path: string) {
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await page.evaluate((path) => history.pushState(null, '', path), path)
}

test.describe('every address', () => {
  // Opens more than thirty pages.
  test.slow()

  test('of members leads a visitor to the login that leads back to it', async ({ world }) => {
    const { page } = await world.visitor()
    const ids = { neighbor: 7, mine: 7, theirs: 7 }
    await page.goto('/profile')
    await expect(page).toHaveURL('/login?next=%2Fprofile')
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    for (const route of memberRoutes) {
      const path = address(route, ids)
      await navigate(page, path)
      await expect(page, route).toHaveURL(`/login?next=${encodeURIComponent(path)}`)
    }
    for (const { route, access } of routes) {
      if (access !== 'members') continue
      await navigate(page, '/forgot-password')
      await expect(page).toHaveURL('/forgot-password')
      await navigate(page, address(route, ids))
      await expect(page, route).toHaveURL(/\/login\?next=/)
    }
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  })

  // accessibility.spec.ts covers guests’ screens and the other screens of members.
  test('that is public, for guests or from an earlier version shows a member its screen or redirects', async ({
    world,
  }) => {
    const [ann, bob] = [await world.member('ann'), await world.account('bob')]
    const { page, allowErrors } = ann
    allowErrors(notFoundError)
    const { id: mine } = await ann.actor.call(createListing, { body: { title: 'Old apples', price: 2 } })
    const { id: theirs } = await bob.actor.call(createListing, {
      body: { title: 'Rhubarb crowns', type_id: types.giveaway },
      file: await photo(),
    })
    const ids = { neighbor: bob.actor.id, mine, theirs }
    for (const { route, access, shows } of routes) {
      if (access !== 'all') continue
      await test.step(route, async () => {
        const path = address(route, ids)
        await page.goto(path)
        await expect(page).toHaveURL(path)
        if (shows !== undefined) await expectShown(page, shows)
      })
    }
    // The last address shows Page Not Found.
    await expect(page).toHaveTitle('Page Not Found · Rhubarb')
    await page.getByRole('link', { name: 'Go to Home' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/post-want')
    // The browser loads the first address of each kind, and navigates to the others.
    const kinds = new Set<string>()
    for (const { route, access, shows, leadsTo } of routes) {
      const target = access === 'guests' ? '/my-listings' : leadsTo
      if (target === undefined) continue
      await test.step(route, async () => {
        await (kinds.has(access) ? navigate(page, address(route, ids)) : page.goto(address(route, ids)))
        kinds.add(access)
        await expect(page).toHaveURL(address(target, ids))
        if (shows !== undefined) await expectShown(page, shows)
        // A redirect replaces the old address in the history, so that Back skips it.
        await page.goBack()
        await expect(page).toHaveURL('/post-want')
      })
    }
  })
})

test('a page names the script of its screen, which is cached for a year', async ({ world, request }) => {
  const [{ actor }, bob] = [await world.account('ann'), await world.account('bob')]
  const { id } = await actor.call(createListing, { body: { title: 'Old apples', price: 2 } })
  for (const [path, script] of [
    ['/login', 'login'],
    ['/listings', 'listings.index'],
    ['/listings/new', 'listings.new'],
    [`/listings/${id}`, 'listings._id'],
    [`/listings/${id}/edit`, 'listings._id_.edit'],
    [`/messages/${bob.actor.id}`, 'messages._otherId'],
  ] as const) {
    const cookie = path === '/login' ? {} : { cookie: `login=${actor.token}` }
    const address = new RegExp(`"(/assets/${script}-[^"]{8}.js)"`)
    // On a busy machine the data may be late, and the screen is rendered in the browser.
    let named = ''
    await expect
      .poll(
        async () => {
          const page = await (await request.get(path, { headers: cookie })).text()
          named = address.exec(page)?.[1] ?? ''
          return named
        },
        { message: path },
      )
      .not.toBe('')
    const headers = (await request.get(named)).headers()
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('the outbox and the documentation of the API are displayed', long, async ({ world }) => {
  const { page } = await world.visitor()
  for (const [path, title] of [
    ['/outbox', 'Outbox'],
    ['/api/docs', 'Rhubarb'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title }).first()).toBeVisible()
  }
})
