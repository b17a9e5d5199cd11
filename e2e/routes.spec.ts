import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { photo } from '#test/pictures.ts'
import { expect, once, test } from './fixtures.ts'
import { address, memberRoutes, routes } from './routes.ts'
import { sight } from './words.ts'

/** The console message of a 404 page. */
const elsewhere = /status of 404.*\/any\/other/

test('every address is answered for what it is, by whoever asks', once, async ({ request }) => {
  const ids = { neighbor: { id: 7, username: '' }, mine: 7, theirs: 7 }
  for (const route of [...memberRoutes, ...routes.map(({ route }) => route)]) {
    const status = route === '/any/other' ? 404 : 200
    const place = address(route, ids)
    const response = await request.get(place, { maxRedirects: 0 })
    expect([response.status(), place]).toEqual([status, place])
    expect(response.headers()['content-type']).toContain('text/html')

    const withSlash = place.replace(/(?<=\w)(?=\?|$)/, '/')
    const followed = await request.get(withSlash)
    expect([followed.status(), withSlash]).toEqual([status, withSlash])
  }
})

test.describe('every address', once, () => {
  // More than thirty of them in one go.
  test.slow()

  test('shows a visitor what it shows, or the login that leads back to it', async ({ garden }) => {
    const { page, expectTrouble } = await garden.visitor()
    expectTrouble(elsewhere)
    const ids = { neighbor: { id: 7, username: '' }, mine: 7, theirs: 7 }
    const expectLogin = async (place: string, url: string | RegExp) => {
      await page.goto(place)
      await expect(page).toHaveURL(url)
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    }
    for (const route of memberRoutes) {
      const place = address(route, ids)
      await test.step(route, () => expectLogin(place, `/login?next=${encodeURIComponent(place)}`))
    }
    for (const { route, access, shows } of routes) {
      await test.step(route, async () => {
        const place = address(route, ids)
        if (access === 'members') return expectLogin(place, /\/login\?next=/)
        await page.goto(place)
        await expect(page).toHaveURL(place)
        await expect(sight(page, shows)).toBeVisible()
      })
    }
  })

  // access.spec.ts shows a member their own.
  test('of all, of visitors and from before shows a member what it shows, or leads on', async ({
    garden,
  }) => {
    const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
    const { page, expectTrouble } = ann
    expectTrouble(elsewhere)
    const { id: mine } = await ann.actor.call(createListing, { body: { title: 'Old apples', price: 2 } })
    const { id: theirs } = await bob.actor.call(createListing, {
      body: { title: 'Rhubarb crowns', type_id: types.giveaway },
      file: await photo(),
    })
    const people = { neighbor: { id: bob.actor.id, username: bob.username }, mine, theirs }
    for (const { route, access, shows, leadsTo } of routes) {
      await test.step(route, async () => {
        const place = address(route, people)
        await page.goto(place)
        if (access === 'guests') return expect(page).toHaveURL('/my-listings')
        if (leadsTo === undefined) await expect(page).toHaveURL(place)
        else await expectToLeadOn(page, place, address(leadsTo, people))
        await expect(sight(page, shows)).toBeVisible()
      })
    }
  })
})

/** Back from where an old address leads is not the old address, which would lead there again. */
async function expectToLeadOn(page: Page, old: string, now: string) {
  await expect(page).toHaveURL(now)
  await page.goto('/post-want')
  await page.goto(old)
  await expect(page).toHaveURL(now)
  await page.goBack()
  await expect(page).toHaveURL('/post-want')
  await page.goForward()
  await expect(page).toHaveURL(now)
}

test('an old address leads a visitor over the login', once, async ({ garden }) => {
  const ann = await garden.member('ann')
  const { page } = await garden.visitor()
  await page.goto('/old-profile')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
})

test(
  'a page names the scripts of its screen, so that all are fetched at once',
  once,
  async ({ garden, request }) => {
    const { actor } = await garden.member('ann')
    const { id } = await actor.call(createListing, { body: { title: 'Old apples', price: 2 } })
    for (const [place, script] of [
      ['/login', 'login'],
      ['/listings', 'listings.index'],
      ['/listings/new', 'listings.new'],
      [`/listings/${id}`, 'listings._id'],
      [`/listings/${id}/edit`, 'listings._id_.edit'],
      ['/messages/7', 'messages._otherId'],
    ] as const) {
      const cookie = place === '/login' ? {} : { cookie: `login=${actor.token}` }
      const page = await (await request.get(place, { headers: cookie })).text()
      const [, named] = page.match(`<link rel="modulepreload" href="(/assets/${script}-[^"]{8}.js)"`) ?? []
      expect(named, place).toBeDefined()
      const headers = (await request.get(named ?? '')).headers()
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
    }
  },
)

test('what the server shows of itself is whole', once, async ({ garden }) => {
  const { page } = await garden.visitor()
  for (const [place, title] of [
    ['/outbox', 'Outbox'],
    ['/api/docs', 'Rhubarb'],
  ] as const) {
    await page.goto(place)
    await expect(page.getByRole('heading', { name: title }).first()).toBeVisible()
  }
})
