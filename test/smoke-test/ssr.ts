import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { Actor } from '#test/actor.ts'
import { type Machine, step } from './machine.ts'

/** Requests a page like a browser with this cookie. */
export async function visit(url: string, path: string, cookie = '') {
  const { status, headers, text } = await fetchText(url + path, {
    'accept-encoding': 'br',
    'sec-fetch-dest': 'document',
    ...(cookie && { cookie }),
  })
  return { status, headers, text, control: headers.get('cache-control') }
}

async function fetchText(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const loginCookie = ({ token }: Pick<Actor, 'token'>) => `__Host-login=${token}`

/** Repeats a page request until it contains a text, because a busy node may render without data. */
export async function visitRendered(url: string, path: string, member: Actor, shows: string) {
  for (let tries = 100; ; tries -= 1) {
    const page = await visit(url, path, loginCookie(member))
    if (page.text.includes(shows)) return page
    if (tries === 0) throw new Error(`${url}${path} does not show ${shows}`)
    await sleep(200)
  }
}

/** Checks server rendering (decision 0017) over HTTPS behind nginx. Throws on the first failure. */
export async function checkServerRendering(machine: Machine) {
  const { url, nodeUrls } = machine
  const [fay, gil] = [new Actor(url), new Actor(url)]
  const secrets = new Map<Actor, string>()
  for (const [member, username] of [
    [fay, 'fay'],
    [gil, 'gil'],
  ] as const) {
    await member.join({ username })
    const title = `Roots of ${username}`
    await member.call(createListing, { body: { title, type_id: types.giveaway, is_public: false } })
    secrets.set(member, title)
  }

  await step(
    'pages of members are rendered with their data by each node and compressed by nginx',
    async () => {
      for (const from of [url, ...nodeUrls]) {
        const { status, headers, control, text } = await visitRendered(
          from,
          '/my-listings',
          fay,
          'Roots of fay',
        )
        assert.equal(status, 200)
        assert.equal(control, 'private, no-store')
        assert.equal(headers.get('content-encoding'), 'br')
        for (const name of ['cookie', 'accept-encoding'])
          assert.match(headers.get('vary') ?? '', new RegExp(name, 'i'))
        assert.ok(text.includes(`data-member="${fay.id}"`), from)
      }
    },
  )
  await step('the next member gets their own page, and guests get no member data', async () => {
    const visitors: [cookie: string, secret: string | undefined][] = [
      [loginCookie(fay), secrets.get(fay)],
      [loginCookie(gil), secrets.get(gil)],
      ['', undefined],
      // With HTTPS, this cookie may come from another host of the domain or an attacker on the network.
      [`login=${fay.token}`, undefined],
    ]
    for (let turn = 0; turn < 10; turn += 1)
      for (const [cookie, secret] of visitors) {
        const { text, headers, control } = await visit(url, '/my-listings', cookie)
        assert.equal(headers.get('set-cookie'), null)
        for (const title of text.match(/Roots of \w+/g) ?? []) assert.equal(title, secret)
        assert.equal(control, secret === undefined ? 'no-cache' : 'private, no-store')
      }
  })
}
