import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { requestFriend } from '#contract/friends.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { createWant } from '#contract/wants.ts'
import { photo } from '#test/pictures.ts'
import { expect, once, type Person, test } from './fixtures.ts'

interface Ids {
  readonly own: number
  readonly other: number
  readonly member: number
}

/** An address of every file in `web/routes`, for members. */
const ofMembers: Record<string, (ids: Ids) => string> = {
  '$.tsx': () => '/nowhere',
  'confirm-email.tsx': () => '/confirm-email?token=none',
  'invite-your-friends.tsx': () => '/invite-your-friends',
  'not-found.tsx': () => '/not-found',
  'personal-info.tsx': () => '/personal-info',
  'stop-invitations.tsx': () => '/stop-invitations?token=none',
  '_members/editlisting.$id.tsx': ({ own }) => `/editlisting/${own}`,
  '_members/filter-page.tsx': () => '/filter-page',
  '_members/friend-invi.tsx': () => '/friend-invi',
  '_members/friend-search.tsx': () => '/friend-search?q=gar',
  '_members/have-want-search.tsx': () => '/have-want-search?q=garlic',
  '_members/listings.$id.tsx': ({ other }) => `/listings/${other}`,
  '_members/listings.$id_.edit.tsx': ({ own }) => `/listings/${own}/edit`,
  '_members/listings.index.tsx': () => '/listings',
  '_members/listings.new.tsx': () => '/listings/new',
  '_members/match-noti.tsx': () => '/match-noti',
  '_members/matches.tsx': () => '/matches',
  '_members/messages.$otherId.tsx': ({ member }) => `/messages/${member}`,
  '_members/messages.index.tsx': () => '/messages',
  '_members/my-friend-listing.tsx': () => '/my-friend-listing',
  '_members/my-listings-old.tsx': () => '/my-listings-old',
  '_members/my-listings.tsx': () => '/my-listings',
  '_members/my-listings_.$id.tsx': ({ own }) => `/my-listings/${own}`,
  '_members/myfriends.tsx': () => '/myfriends',
  '_members/notifications.tsx': () => '/notifications',
  '_members/old-profile.tsx': () => '/old-profile',
  '_members/post-want.tsx': () => '/post-want',
  '_members/profile.tsx': () => '/profile',
  '_members/profile_.edit.tsx': () => '/profile/edit',
  '_members/seller.$id.tsx': ({ member }) => `/seller/${member}`,
}

const ofVisitors: Record<string, string> = {
  'login.tsx': '/login',
  'register.tsx': '/register',
  'forgot-password.tsx': '/forgot-password',
  'reset-password.tsx': '/reset-password?token=none',
}

/** Frames: nobody goes to them. */
const frames = ['__root.tsx', '_members.tsx']

/** What is no screen of the app. */
const pages = ['/', '/outbox', '/api/docs']

/** Until the screen stands with all that it asks for. Whatever goes wrong meanwhile the fixtures hold against it. */
async function see(page: Page, place: string) {
  await page.goto(place)
  await expect(page.getByRole('heading').first(), place).toBeAttached()
  await page.waitForLoadState('networkidle')
  await expect(page.getByText('Loading...'), place).toHaveCount(0)
}

// A long walk, on what may be a busy machine.
test.describe.configure({ timeout: 180_000 })

test('every route is walked', async () => {
  const folder = join(import.meta.dirname, '..', 'web', 'routes')
  const files = await readdir(folder, { recursive: true })
  const routes = files.filter((name) => name.endsWith('.tsx') && !name.startsWith('-'))
  expect([...Object.keys(ofMembers), ...Object.keys(ofVisitors), ...frames].sort()).toEqual(routes.sort())
})

test('a page names the scripts of its screen, so that all are fetched at once', once, async ({ request }) => {
  for (const [place, script] of [
    ['/login', 'login'],
    ['/listings', 'listings.index'],
    ['/listings/new', 'listings.new'],
    ['/listings/7', 'listings._id'],
    ['/listings/7/edit', 'listings._id_.edit'],
    ['/messages/7', 'messages._otherId'],
  ] as const) {
    const page = await (await request.get(place)).text()
    const [, named] =
      page.match(
        `<link rel="modulepreload"(?: fetchpriority="low")? crossorigin href="(/assets/${script}-[^"]{8}.js)">`,
      ) ?? []
    expect(named, place).toBeDefined()
    const headers = (await request.get(named ?? '')).headers()
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('no screen meets a fault, a refusal of the policy or a request that fails', once, async ({ garden }) => {
  const [ann, bob] = await Promise.all([garden.member('ann'), garden.member('bob')])
  const visitor: Person = await garden.visitor()
  const give = { type_id: types.giveaway, category_id: categories.produce }
  const { id: own } = await ann.actor.call(createListing, { body: { title: 'Beans', ...give } })
  await ann.actor.call(createWant, { body: { title: 'garlic', category_id: categories.produce } })
  const { id: other } = await bob.actor.call(createListing, {
    body: { title: 'Garlic', ...give },
    file: await photo(),
  })
  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Is it ripe?' } })
  await bob.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  const ids = { own, other, member: bob.actor.id }

  // A token that was never given away is refused, and nowhere is not found.
  for (const { expectTrouble } of [ann, visitor]) expectTrouble('status of 400', /status of 404.*\/nowhere/)
  for (const place of [...pages, ...Object.values(ofVisitors)]) await see(visitor.page, place)
  for (const place of Object.values(ofMembers)) await see(ann.page, place(ids))
})
