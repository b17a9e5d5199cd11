import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { photo } from '#test/pictures.ts'
import { expect, test } from './fixtures.ts'
import { address, memberRoutes, routes } from './routes.ts'
import { visibleText } from './words.ts'

/** The console message of a 404 page. */
const notFoundError = /status of 404.*\/any\/other/

test('every address answers with a page, and an unknown one with 404, also with a trailing slash', async ({
  request,
}) => {
  const ids = { neighbor: { id: 7, username: '' }, mine: 7, theirs: 7 }
  for (const route of [...memberRoutes, ...routes.map(({ route }) => route)]) {
    const status = route === '/any/other' ? 404 : 200
    const path = address(route, ids)
    const response = await request.get(path, { maxRedirects: 0 })
    expect([response.status(), path]).toEqual([status, path])
    expect(response.headers()['content-type']).toContain('text/html')

    const withSlash = path.replace(/(?<=\w)(?=\?|$)/, '/')
    const followed = await request.get(withSlash)
    expect([followed.status(), withSlash]).toEqual([status, withSlash])
  }
})

test.describe('every address', () => {
  // Opens more than thirty pages.
  test.slow()

  test('of members shows a visitor the login that leads back to it', async ({ world }) => {
    const { page } = await world.visitor()
    const ids = { neighbor: { id: 7, username: '' }, mine: 7, theirs: 7 }
    const expectLogin = async (path: string, url: string | RegExp) => {
      await page.goto(path)
      await expect(page).toHaveURL(url)
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    }
    for (const route of memberRoutes) {
      const path = address(route, ids)
      await test.step(route, () => expectLogin(path, `/login?next=${encodeURIComponent(path)}`))
    }
    for (const { route, access } of routes)
      if (access === 'members')
        await test.step(route, () => expectLogin(address(route, ids), /\/login\?next=/))
  })

  // access.spec.ts covers visitors' screens and the other screens of members.
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
    const people = { neighbor: { id: bob.actor.id, username: bob.username }, mine, theirs }
    for (const { route, access, shows, leadsTo } of routes) {
      await test.step(route, async () => {
        const path = address(route, people)
        await page.goto(path)
        if (access === 'guests') return expect(page).toHaveURL('/my-listings')
        if (leadsTo === undefined) await expect(page).toHaveURL(path)
        else await expectRedirect(page, path, address(leadsTo, people))
        await expect(visibleText(page, shows)).toBeVisible()
      })
    }
  })
})

/** Expects that a redirect replaces the old address in the history, so that Back skips it. */
async function expectRedirect(page: Page, old: string, now: string) {
  await expect(page).toHaveURL(now)
  await page.goto('/post-want')
  await page.goto(old)
  await expect(page).toHaveURL(now)
  await page.goBack()
  await expect(page).toHaveURL('/post-want')
  await page.goForward()
  await expect(page).toHaveURL(now)
}

test('an old address leads a visitor through the login to the new one', async ({ world }) => {
  const ann = await world.account('ann')
  const { page } = await world.visitor()
  await page.goto('/old-profile')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
})

test('a page preloads the script of its screen, which is cached for a year', async ({ world, request }) => {
  const { actor } = await world.account('ann')
  const { id } = await actor.call(createListing, { body: { title: 'Old apples', price: 2 } })
  for (const [path, script] of [
    ['/login', 'login'],
    ['/listings', 'listings.index'],
    ['/listings/new', 'listings.new'],
    [`/listings/${id}`, 'listings._id'],
    [`/listings/${id}/edit`, 'listings._id_.edit'],
    ['/messages/7', 'messages._otherId'],
  ] as const) {
    const cookie = path === '/login' ? {} : { cookie: `login=${actor.token}` }
    const preload = new RegExp(`<link rel="modulepreload" href="(/assets/${script}-[^"]{8}.js)"`)
    // On a busy machine the data may be late, and the screen is rendered in the browser.
    let named = ''
    await expect
      .poll(
        async () => {
          const page = await (await request.get(path, { headers: cookie })).text()
          named = preload.exec(page)?.[1] ?? ''
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

test('the outbox and the documentation of the API are displayed', async ({ world }) => {
  const { page } = await world.visitor()
  for (const [path, title] of [
    ['/outbox', 'Outbox'],
    ['/api/docs', 'Rhubarb'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title }).first()).toBeVisible()
  }
})
