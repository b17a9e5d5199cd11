import type { Page } from '@playwright/test'
import { logIn } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { sendMessage } from '#contract/messages.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { expect, expectAccessible, type Member, once, test } from './fixtures.ts'

declare global {
  /** How far what stands on the page has been moved, as the browser counts it. */
  var movedSoFar: number
  /** What the page has brought, by the calls that it answers. */
  var firstAnswers: { answers: Map<string, unknown> } | undefined
}

/** By HTTPS nobody but this very host can have set it. */
const nameIn = (server: string) => (server.startsWith('https:') ? '__Host-login' : 'login')

/** The page as the server sends it to a browser that carries this login. */
async function pageFor(
  actor: Pick<Actor, 'server' | 'token'>,
  path: string,
  headers: Record<string, string> = {},
) {
  const cookie = `${nameIn(actor.server)}=${actor.token}`
  const answer = await fetch(actor.server + path, { headers: { cookie, ...headers } })
  const text = await answer.text()
  const control = answer.headers.get('cache-control')
  return { status: answer.status, text, control, vary: answer.headers.get('vary') }
}

const look = '<div id="root" class="look">'

/** A page that is late comes without a look, the first after the server's start for one. */
async function visit(page: Page, place: string) {
  await expect(async () => {
    // No later: where the app is held, a page without a look is never whole.
    const answer = await page.goto(place, { waitUntil: 'commit' })
    expect(await answer?.text()).toContain(look)
  }).toPass()
}

/** From now on each page comes as to whoever has logged in at this browser before. */
async function carryLogin({ page, actor }: { page: Page; actor: Pick<Actor, 'server' | 'token'> }) {
  const { server, token = '' } = actor
  await page.context().addCookies([{ name: nameIn(server), value: token, url: server }])
}

/** Holds the app back until it is let come. */
async function holdApp(page: Page) {
  let letCome = () => {}
  const held = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route('**/assets/index-*.js', async (route) => {
    await held
    await route.continue()
  })
  return letCome
}

const give = { type_id: types.giveaway }

async function newNeighbors(garden: { member(name: string): Promise<Member> }) {
  const [ann, bob] = await Promise.all([garden.member('ann'), garden.member('bob')])
  for (const title of ['Garlic', 'Leeks', 'Chard', 'Kale', 'Sorrel', 'Cress', 'Beans', 'Peas'])
    await ann.actor.call(createListing, { body: { title, ...give, is_public: false } })
  const { id } = await bob.actor.call(createListing, {
    body: { title: 'Rhubarb crowns', description: 'By the gate.', ...give },
    file: await photo(),
  })
  for (let nth = 1; nth <= 20; nth += 1)
    await ann.actor.call(sendMessage, {
      body: { receiver_id: bob.actor.id, content: `Is it ripe? (${nth})` },
    })
  return { ann, bob, listing: `/listings/${id}`, talk: `/messages/${bob.actor.id}` }
}

test('a member sees their screen before the app is there, and goes on in it where they are', async ({
  garden,
}) => {
  const { ann, bob, listing, talk } = await newNeighbors(garden)
  const { page } = ann
  await carryLogin(ann)
  for (const [place, shows] of [
    ['/listings', 'Rhubarb crowns'],
    [listing, 'By the gate.'],
    [talk, 'Is it ripe? (20)'],
    ['/my-listings', 'Peas'],
  ] as const) {
    await test.step(place, async () => {
      const letCome = await holdApp(page)
      await visit(page, place)
      await expect(page.getByText(shows).first()).toBeInViewport()
      await expect(page).toHaveTitle(/ · Rhubarb$/)
      await expectAccessible(page)
      const controls = page.locator('.look').locator('button, input, textarea, select')
      expect(await controls.evaluateAll((all) => all.filter((one) => !one.matches('[inert]')).length)).toBe(0)
      // The same place, before and after, to the pixel: what is drawn is what will stand.
      const where = async () => Math.round((await page.getByText(shows).first().boundingBox())?.y ?? -1)
      const before = await where()

      letCome()
      await expect(page.locator('.look')).toHaveCount(0)
      await expect(page.getByText(shows).first()).toBeInViewport()
      expect(Math.abs((await where()) - before)).toBeLessThanOrEqual(1)
      await page.unrouteAll()
    })
  }

  await test.step('scrolled and with the keyboard on a link', async () => {
    const letCome = await holdApp(page)
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 500 })
    await visit(page, '/my-listings')
    const link = page.getByRole('link', { name: 'Leeks' })
    await link.focus()
    await page.evaluate(() => scrollTo(0, 150))
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(150)
    letCome()
    await expect(page.locator('.look')).toHaveCount(0)
    await expect(link).toBeFocused()
    expect(await page.evaluate(() => scrollY)).toBe(150)
    await page.unrouteAll()
  })

  await test.step('a conversation read from further up', async () => {
    const letCome = await holdApp(page)
    await visit(page, talk)
    const log = page.getByRole('log')
    const fromEnd = () => log.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)
    // In a look it is counted from the end.
    await log.evaluate((box) => box.scrollBy(0, -200))
    await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBe(-200)
    letCome()
    await expect(page.locator('.look')).toHaveCount(0)
    expect(await fromEnd()).toBe(200)
    await bob.actor.call(sendMessage, {
      body: { receiver_id: ann.actor.id, content: 'It is.' },
    })
    await page.getByRole('button', { name: 'new messages' }).click()
    await expect(log.getByText('It is.')).toBeInViewport()
    expect(await fromEnd()).toBeLessThanOrEqual(1)
    await page.unrouteAll()
    const composer = page.getByPlaceholder('Type a message…')
    await composer.fill('Two stalks?')
    await visit(page, talk)
    await expect(composer).toHaveValue('Two stalks?')
  })

  await test.step('a link leads on without the app', async () => {
    const letCome = await holdApp(page)
    await visit(page, '/my-listings')
    await page.getByRole('link', { name: 'Leeks' }).click()
    await expect(page).toHaveURL(/\/listings\/\d+$/)
    letCome()
    await expect(page.getByRole('heading', { level: 1, name: 'Leeks' })).toBeVisible()
  })
})

test(
  'no script of the app is asked for before the look is painted with its pictures, and nothing moves',
  once,
  async ({ garden }) => {
    const { ann, listing, talk } = await newNeighbors(garden)
    const { page } = ann
    await carryLogin(ann)
    await page.addInitScript(() => {
      globalThis.movedSoFar = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('value' in entry) movedSoFar += Number(entry.value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    for (const place of ['/listings', listing, talk, '/my-listings']) {
      await visit(page, place)
      await expect(page.locator('.look')).toHaveCount(0)
      const { painted, moved, asked } = await page.evaluate(() => {
        const scripts = performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\/assets\/(?!first-)[^/]+\.js$/.test(name))
        const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const { loadEventStart = 0, domContentLoadedEventStart = 0 } = visit ?? {}
        const loaded = loadEventStart > 0 ? loadEventStart : Number.POSITIVE_INFINITY
        return {
          asked: Math.min(...scripts.map(({ startTime }) => startTime)),
          // With its pictures; or a second later, when these are late.
          painted: Math.min(loaded, domContentLoadedEventStart + 1000),
          moved: movedSoFar,
        }
      })
      expect(painted, place).toBeGreaterThan(0)
      expect(asked, place).toBeGreaterThan(painted)
      expect(moved, place).toBeLessThan(0.02)
    }
  },
)

test('an app that does not come is asked for once more, and then says so', once, async ({ garden }) => {
  const { ann, listing } = await newNeighbors(garden)
  const { page } = ann
  await carryLogin(ann)
  ann.expectTrouble('net::ERR_FAILED', 'Failed to fetch dynamically imported module', 'did not come')
  const fail = (script: string, times?: number) =>
    page.route(script, (route) => route.abort(), times === undefined ? {} : { times })
  const answers = async () => {
    await page.getByRole('button', { name: 'share' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }

  for (const script of ['**/assets/index-*.js', '**/assets/vendor-*.js', '**/assets/take-over-*.js']) {
    await test.step(`${script} once`, async () => {
      await fail(script, 1)
      await visit(page, listing)
      await expect(page.locator('.look')).toHaveCount(0)
      await answers()
      await page.unrouteAll()
    })
  }

  await test.step('one that asks for more than the page has brought, and gets no answer', async () => {
    const letCome = await holdApp(page)
    const unread = '/api/notifications/unread-count'
    await page.route(`**${unread}`, () => {})
    await visit(page, listing)
    await page.waitForFunction((address) => globalThis.firstAnswers?.answers.delete(address), unread)
    const heading = page.getByRole('heading', { name: 'Rhubarb crowns' })
    await heading.evaluate((drawn) => drawn.setAttribute('data-drawn', ''))
    letCome()
    // It waits a moment only, and then draws its own.
    await answers()
    await expect(heading).not.toHaveAttribute('data-drawn')
    await page.unrouteAll()
  })

  await test.step('not at all, below a look', async () => {
    await fail('**/assets/index-*.js')
    await visit(page, listing)
    await expect(page.getByRole('alert')).toContainText('A part of this screen did not come.')
    await expect(page.getByText('By the gate.')).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await answers()
  })

  await test.step('not at all, where guests are', async () => {
    const visitor = await garden.visitor()
    visitor.expectTrouble('net::ERR_FAILED')
    await visitor.page.route('**/assets/index-*.js', (route) => route.abort())
    await visitor.page.goto('/login')
    const late = visitor.page.getByText('This page takes long to come.')
    await expect(late).toBeHidden()
    await visitor.page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await expect(late).toBeVisible()
    await visitor.page.unrouteAll()
    await visitor.page.getByRole('link', { name: 'try again' }).click()
    await expect(visitor.page.getByLabel('Email')).toBeVisible()
    await expect(late).toBeHidden()
  })

  await test.step('not at all, without a look', async () => {
    await page.context().clearCookies()
    await fail('**/assets/index-*.js')
    await page.goto(listing)
    await expect(page.getByRole('alert')).toContainText('A part of this screen did not come.')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await answers()
  })
})

test('it reads without JavaScript', once, async ({ garden, browser }) => {
  const { ann, listing } = await newNeighbors(garden)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: ann.actor.server })
  const page = await context.newPage()
  await carryLogin({ ...ann, page })
  await visit(page, listing)
  await expect(page.getByRole('heading', { name: 'Rhubarb crowns' })).toBeVisible()
  await expect(page.locator('noscript')).toBeVisible()
  expect(await page.content()).toContain('This page reads without JavaScript.')
  await page.getByRole('link', { name: 'my listing' }).click()
  await expect(page).toHaveURL('/my-listings')
  await visit(page, '/my-listings')
  await expect(page.getByText('Sorrel')).toBeVisible()
  await context.close()
})

test('words that look like markup stay words', once, async ({ garden }) => {
  const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
  const words = `</script><img src=x onerror="document.title='no'"> $& <!-- frame -->`
  const body = { title: words, description: words, ...give, is_public: false }
  const { id } = await ann.actor.call(createListing, { body })
  await ann.actor.call(sendMessage, { body: { receiver_id: bob.actor.id, content: words } })
  await carryLogin(ann)
  const { page } = ann
  for (const place of [`/listings/${id}`, `/messages/${bob.actor.id}`, '/my-listings']) {
    const letCome = await holdApp(page)
    await visit(page, place)
    const seen = page.getByText('document.title=').first()
    await expect(seen).toContainText(`</script><img src=x onerror="document.title='no'"> $&`)
    letCome()
    await expect(page.locator('.look')).toHaveCount(0)
    await expect(seen).toContainText('<!-- frame -->')
    await expect(page).not.toHaveTitle('no')
    await page.unrouteAll()
  }
})

test('it is for its member alone', once, async ({ garden }) => {
  const people = await Promise.all(['ann', 'bob', 'cat', 'dan'].map((name) => garden.member(name)))
  const [ann, bob, cat, dan] = people as [Member, Member, Member, Member]
  const secretOf = ({ username }: Member) => `Roots of ${username}`
  const hers = new Map<Member, number>()
  for (const person of people) {
    const body = { title: secretOf(person), ...give, is_public: false }
    hers.set(person, (await person.actor.call(createListing, { body })).id)
    const other = person === ann ? bob : ann
    await person.actor.call(sendMessage, {
      body: { receiver_id: other.actor.id, content: `From ${person.username}` },
    })
  }

  await test.step('whoever else is drawn for in the same moment', async () => {
    const drawn = async () => (await pageFor(ann.actor, '/my-listings')).text
    await expect.poll(drawn).toContain(look)
    const visits = people.flatMap((person) =>
      Array.from({ length: 24 }, (_, nth) => {
        const places = ['/my-listings', '/listings', `/listings/${hers.get(person)}`]
        return { person, place: places[nth % places.length] ?? '' }
      }),
    )
    const gusts = Array.from({ length: 6 }, (_, gust) => visits.filter((_, nth) => nth % 6 === gust))
    for (const gust of gusts) {
      await Promise.all(
        gust.map(async ({ person, place }) => {
          const { text, control, vary } = await pageFor(person.actor, place)
          expect(vary).toMatch(/\bcookie\b/)
          for (const other of people) if (other !== person) expect(text).not.toContain(secretOf(other))
          // Where many come at once, some get the page that everybody gets.
          if (control === 'no-cache') return expect(text).not.toMatch(/data-member|id="brought"|class="look"/)
          expect(text).toContain(`<html data-member="${person.actor.id}"`)
          expect(control).toBe('private, no-store')
          if (place !== '/listings') expect(text).toContain(secretOf(person))
        }),
      )
    }
    await expect.poll(drawn).toContain(look)
  })

  const bare = (await pageFor({ server: ann.actor.server, token: '' }, '/listings/1')).text
  await test.step('what is not theirs is what is not there', async () => {
    await ann.actor.call(blockMember, { params: { id: dan.actor.id } })
    for (const [person, place] of [
      [bob, `/listings/${hers.get(ann)}`],
      [dan, `/listings/${hers.get(ann)}`],
      [bob, '/listings/999999999'],
      [bob, '/listings/0'],
      [bob, `/listings/${'9'.repeat(40)}`],
    ] as const)
      expect(await pageFor(person.actor, place), place).toMatchObject({ text: bare, control: 'no-cache' })
  })

  await test.step('a login that is none any more, or never was', async () => {
    const place = `/listings/${hers.get(cat)}`
    await expect.poll(async () => (await pageFor(cat.actor, place)).text).toContain(secretOf(cat))
    await garden.administer('suspend', cat.username)
    const { server } = cat.actor
    const twice = `x; ${nameIn(server)}=${bob.actor.token}x`
    for (const token of [cat.actor.token, 'a'.repeat(43), '%00', twice, ''])
      expect((await pageFor({ server, token }, place)).text).toBe(bare)
  })

  await test.step('what is no visit of a page', async () => {
    const place = `/listings/${hers.get(bob)}`
    const visited = () => pageFor(bob.actor, place, { 'sec-fetch-dest': 'document' })
    await expect.poll(async () => (await visited()).text).toContain(secretOf(bob))
    for (const dest of ['empty', 'iframe', 'image', 'script'])
      expect((await pageFor(bob.actor, place, { 'sec-fetch-dest': dest })).text).toBe(bare)
  })

  await test.step('another member at the same browser', async () => {
    const { page } = bob
    await carryLogin({ ...bob, actor: ann.actor })
    const letCome = await holdApp(page)
    await page.goto('/my-listings', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('#brought')).toHaveCount(0)
    await expect(page.locator('.look')).toHaveCount(0)
    letCome()
    await expect(page.getByText(secretOf(bob))).toBeVisible()
    await expect(page.getByText(secretOf(ann))).toHaveCount(0)
    await page.unrouteAll()
    // The browser has mended its cookie.
    await page.reload()
    await expect(page.getByText(secretOf(bob))).toBeVisible()
    expect((await page.context().cookies()).map(({ value }) => value)).toEqual([bob.actor.token])
  })
})

test('the cookie is the login, and goes with it', once, async ({ garden }) => {
  const ann = await garden.member('ann')
  const visitor = await garden.visitor()
  const { page } = visitor
  const cookies = () => page.context().cookies()
  await page.goto('/login')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/my-listings')
  const stored = async () => JSON.parse((await page.evaluate(() => localStorage.getItem('auth'))) ?? '{}')
  const { token, expiresAt } = await stored()
  const [cookie, ...others] = await cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({
    name: nameIn(ann.actor.server),
    value: token,
    // Without a dot in front: for this host alone.
    domain: new URL(ann.actor.server).hostname,
    path: '/',
    sameSite: 'Strict',
    secure: ann.actor.server.startsWith('https:'),
  })
  expect(Math.abs((cookie?.expires ?? 0) * 1000 - expiresAt)).toBeLessThan(60_000)

  visitor.expectTrouble('net::ERR_INTERNET_DISCONNECTED', 'WebSocket connection')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  expect(await cookies()).toEqual([])
  await page.context().setOffline(false)

  const { access_token } = await ann.actor.call(logIn, {
    body: { username: ann.email, password: ann.password },
  })
  await carryLogin({ page, actor: { server: ann.actor.server, token: access_token } })
  await page.goto('/my-listings')
  await expect(page).toHaveURL(/\/login/)
  expect(await cookies()).toEqual([])
})
