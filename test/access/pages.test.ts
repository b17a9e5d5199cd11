import { Script } from 'node:vm'
import pLimit from 'p-limit'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { readConfig } from '#server/config.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { newWorld } from '#test/world.ts'

// Needs the build of the web client: `npm test -- --only=web`.
const world = await newWorld({ config: { ssr: true } })
afterAll(() => world[Symbol.asyncDispose]())

const cookieOf = ({ token }: Pick<Actor, 'token'>) => `__Host-login=${token}`

async function open(path: string, cookie = '') {
  const response = await fetch(world.url + path, { headers: { cookie }, redirect: 'manual' })
  return {
    status: response.status,
    control: response.headers.get('cache-control'),
    text: await response.text(),
  }
}

const titlesOf = (page: string) => [...page.matchAll(/<title[^>]*>([^<]*)/g)].map(([, title]) => title)

/** Opens a page until it contains `shows`: on a busy machine its data may not arrive in time to be rendered. */
async function openRendered(path: string, cookie: string, shows: string) {
  let page = await open(path, cookie)
  await expect
    .poll(async () => {
      page = await open(path, cookie)
      return page.text
    })
    .toContain(shows)
  return page
}

class DisposableClient extends pg.Client {
  [Symbol.asyncDispose]() {
    return this.end()
  }
}

interface Visitor {
  readonly member: Actor
  readonly secret: string
}

/** Returns what a page contains of all these members but one. */
function othersIn(page: string, members: readonly Visitor[], reader?: Visitor): string[] {
  const names = members
    .filter((each) => each !== reader)
    .flatMap(({ member, secret }) => [member.username, secret])
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(page))
}

const memberCount = shortOrLong(8, 20)

test('pages of many members and of guests with concurrent requests contain nothing of other members', async () => {
  const members: Visitor[] = []
  for (let number = 0; number < memberCount; number += 1) {
    const member = await world.member({ username: `gardener_${number}` })
    const secret = `Roots-${crypto.randomUUID()}`
    await member.call(createListing, { body: { title: secret, type_id: types.giveaway, is_public: false } })
    members.push({ member, secret })
  }
  let rendered = 0
  async function visit(visitor: Visitor, path: string) {
    const { text, control } = await open(path, cookieOf(visitor.member))
    expect(control).toBe('private, no-store')
    expect(/<html [^>]*data-member="(\d+)"/.exec(text)?.[1]).toBe(String(visitor.member.id))
    expect(othersIn(text, members, visitor)).toEqual([])
    if (text.includes(visitor.secret) || text.includes(visitor.member.username)) rendered += 1
  }
  async function visitAsGuest(path: string) {
    const { text, control } = await open(path)
    expect(control).toBe('no-cache')
    expect(text).not.toContain('data-member')
    expect(othersIn(text, members)).toEqual([])
  }
  const paths = ['/my-listings', '/profile', '/messages']
  for (const { member, secret } of members.slice(0, 1))
    await openRendered('/my-listings', cookieOf(member), secret)
  // With high concurrency most pages are rendered without their data, with low concurrency most have it.
  await pLimit(members.length).map(members, (visitor) => visit(visitor, '/my-listings'))
  for (const round of paths.keys())
    await pLimit(4).map(members, async (visitor, number) => {
      const path = paths[(number + round) % paths.length] ?? '/'
      await Promise.all([visit(visitor, path), visitAsGuest(path)])
    })
  expect(rendered).toBeGreaterThan(members.length / 2)
})

test('text is escaped in the markup and in the dehydrated state', async () => {
  const [ann, bob] = await world.members('ann', 'bob')
  const hostile = '</script><script>alert(1)</script><!-- \u2028\u2029 <img src=x onerror=alert(2)>'
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: `See ${hostile}` } })
  const { text } = await openRendered(`/messages/${bob.id}`, cookieOf(ann), 'See ')
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('<img src=x')
  const scripts = Array.from(text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs), ([, code = '']) => code)
  expect(scripts.join()).toContain('See ')
  for (const code of scripts) {
    expect(() => new Script(code)).not.toThrow()
    expect(code).not.toMatch(/<!--|<\/?script|[\u2028\u2029]/i)
  }
})

test('a page whose data is late is sent without it while the data is still loading', async () => {
  const [owner] = await world.members('late_owner')
  const title = 'Late leeks'
  const { id } = await owner.call(createListing, { body: { title, type_id: types.giveaway } })
  const pages = [
    { path: '/my-listings', shell: 'Skip to content' },
    // This screen renders nothing without the listing.
    { path: `/listings/${id}`, shell: '<title>Listing · Rhubarb</title>' },
  ]
  for (const { path } of pages) await openRendered(path, cookieOf(owner), title)
  await using operator = new DisposableClient(world.databaseUrl)
  await operator.connect()
  for (const { path, shell } of pages) {
    await operator.query('begin; lock table listings in access exclusive mode')
    const { status, text } = await open(path, cookieOf(owner))
    const { rows } = await operator.query(
      "select from pg_locks where relation = 'listings'::regclass and not granted",
    )
    await operator.query('commit')
    expect(rows.length).toBeGreaterThan(0)
    expect(status).toBe(200)
    expect(text).toContain(`data-member="${owner.id}"`)
    expect(text).toContain(shell)
    expect(text).not.toContain(title)
    await openRendered(path, cookieOf(owner), title)
  }
})

test('a page of a listing that the member may not see contains nothing of it', async () => {
  const [owner, stranger] = await world.members('hiding_owner', 'stranger')
  const title = 'Hidden hops'
  const { id } = await owner.call(createListing, {
    body: { title, type_id: types.giveaway, is_public: false },
  })
  await openRendered(`/listings/${id}`, cookieOf(owner), title)
  await expect
    .poll(async () => {
      const response = await fetch(`${world.url}/listings/${id}`, {
        headers: { cookie: cookieOf(stranger) },
        redirect: 'manual',
      })
      expect(await response.text()).not.toMatch(/Hidden hops|hiding_owner/)
      return [response.status, response.headers.get('location')]
    })
    .toEqual([307, '/not-found'])
})

/** Returns the text that React has escaped for HTML. */
function unescapeHtml(text = '') {
  const characters: Record<string, string> = { quot: '"', '#x27': "'", lt: '<', gt: '>', amp: '&' }
  return text.replaceAll(/&(quot|#x27|lt|gt|amp);/g, (_, name: string) => characters[name] ?? '')
}

test("pages show the operator's address and links from the settings, with special characters escaped", async () => {
  const support = "o'help+more@rhubarb.example"
  const links = [
    {
      name: 'The "Fediverse" $& $\' %SUPPORT_EMAIL%',
      url: 'https://social.example/@us?a=1&b="2"&c=$&%SOCIAL_NAME%',
    },
    {
      name: '</script></li><script>alert(1)</script>',
      url: 'https://elsewhere.example/"><img/src=x/onerror=alert(2)>',
    },
  ]
  const SOCIAL_LINKS = links.map(({ name, url }) => `${name}=${url}`).join(',')
  const { site } = readConfig({ NODE_ENV: 'test', SUPPORT_EMAIL: support, SOCIAL_LINKS })
  await using node = await world.node({ site })
  const [reader] = await world.members('site_reader')
  for (const path of ['/', '/my-listings']) {
    let page = ''
    const linksOf = async () => {
      page = await (await fetch(node.url + path, { headers: { cookie: cookieOf(reader) } })).text()
      return Array.from(page.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g), ([, url, name]) => ({
        url: unescapeHtml(url),
        name: unescapeHtml(name),
      }))
    }
    const expected = [...links, { url: `mailto:${support}`, name: support }]
    await expect.poll(linksOf, { message: path }).toEqual(expect.arrayContaining(expected))
    expect(page).not.toMatch(/<script>alert|<img\/src/)
  }
})

test('a page with the cookie of an ended or expired session contains nothing of its member', async () => {
  const [leaver, sleeper] = await world.members('leaver', 'sleeper')
  const cookies = [leaver, sleeper].map(cookieOf)
  for (const member of [leaver, sleeper]) {
    await member.call(createListing, { body: { title: 'Bay of mine', type_id: types.giveaway } })
    await openRendered('/my-listings', cookieOf(member), 'Bay of mine')
  }
  await leaver.call(logOut)
  await world.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .where('user_id', '=', sleeper.id)
    .execute()
  for (const cookie of cookies) {
    const { control, text } = await open('/my-listings', cookie)
    expect(control).toBe('no-cache')
    expect(text).not.toMatch(/Bay of mine|leaver|sleeper|data-member/)
  }
})

test.each([
  '//evil.example//login?x=1',
  '//evil.example/login?x=1',
  '//evil.example?x=1',
  '//evil.example:99999/x',
  '/\\evil.example//login?x=1',
  '/.//evil.example//login?x=1',
  '/login//?x=1',
  '///',
])('the path %j does not redirect to another site', async (path) => {
  const response = await fetch(world.url + path, { redirect: 'manual' })
  expect(response.status).toBeLessThan(500)
  const { host } = new URL(world.url)
  const location = response.headers.get('location')
  if (location !== null) {
    expect(location).toMatch(/^\/(?![\\/])/)
    expect(new URL(location, world.url).host).toBe(host)
  }
})

test("with SSR=off a member's page is the app shell; the landing page and Page Not Found are rendered", async () => {
  await using node = await world.node({ ssr: false })
  const [ivy] = await world.members('ivy')
  const read = async (path: string) => {
    const response = await fetch(node.url + path, { headers: { cookie: cookieOf(ivy) } })
    return { control: response.headers.get('cache-control'), text: await response.text() }
  }
  const page = await read('/my-listings')
  expect(page.control).toBe('no-cache')
  expect(page.text).not.toMatch(/ivy|data-member/)
  expect((await read('/login')).text).not.toContain('forgot your password?')
  expect((await read('/')).text).toContain('Good things get passed over the fence.')
  expect((await read('/no-such-page')).text).toContain('Page Not Found')
})

test.each(['', '__Host-login=revoked'])(
  "a member's page with the cookie %j is the app shell",
  async (cookie) => {
    const [member] = await world.members(`owner_${cookie.length}`)
    await member.call(createListing, { body: { title: 'Public beans', type_id: types.giveaway } })
    for (const path of ['/listings', '/listings?category=produce', '/my-listings', `/seller/${member.id}`]) {
      const { status, control, text } = await open(path, cookie)
      expect([status, control]).toEqual([200, 'no-cache'])
      expect(text).not.toContain('Public beans')
      expect(text).not.toContain(member.username)
    }
  },
)

test.each([
  ['/login', 'forgot your password?'],
  ['/login?next=%2Fmessages', 'Please log in to see your messages.'],
  ['/register', 'Confirm password'],
  ['/', 'Good things get passed over the fence.'],
])('renders %s for guests with Open Graph tags', async (path, shows) => {
  const { text } = await open(path)
  expect(text).toContain(shows)
  const tags = Object.fromEntries(
    Array.from(text.matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g), ([, name, content]) => [
      name,
      content,
    ]),
  )
  const { publicUrl = '' } = world.config
  const { pathname } = new URL(path, publicUrl)
  expect(tags).toMatchObject({ site_name: 'Rhubarb', url: publicUrl + pathname })
  expect(tags.image).toMatch(`${publicUrl}/`)
  const image = await fetch(world.url + new URL(tags.image ?? '').pathname)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test.each([
  ['/', 'A free market for neighbors who garden · Rhubarb'],
  ['/login', 'Login · Rhubarb'],
  ['/no-such-page', 'Page Not Found · Rhubarb'],
  ['/my-listings', 'My lists · Rhubarb'],
  ['/messages/7', 'Conversation · Rhubarb'],
])('%s has one title for a guest', async (path, title) => {
  expect(titlesOf((await open(path)).text)).toEqual([title])
})

test("a member's page has one title from its data", async () => {
  const [reader, writer] = await world.members('reader', 'writer')
  const listing = await writer.call(createListing, {
    body: { title: 'Titled peas', type_id: types.giveaway },
  })
  for (const [path, name, shows] of [
    ['/profile', 'My profile', 'reader'],
    [`/listings/${listing.id}`, 'Titled peas', 'Titled peas'],
    [`/seller/${writer.id}`, '@writer', 'writer'],
    [`/messages/${writer.id}`, 'Chat with writer', 'writer'],
  ] as const) {
    const { text } = await openRendered(path, cookieOf(reader), shows)
    expect(titlesOf(text)).toEqual([`${name} · Rhubarb`])
  }
})

test('the landing page has at most one kilobyte of scripts', async () => {
  const { text } = await open('/')
  const scripts = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
  expect(scripts.map(([, attributes]) => attributes).join()).not.toContain('src=')
  expect(text).not.toContain('.js"')
  expect(scripts.reduce((sum, [, , code = '']) => sum + code.length, 0)).toBeLessThanOrEqual(1024)
})
