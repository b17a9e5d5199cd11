import type { Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { createWant, listWants } from '#contract/wants.ts'
import {
  type Account,
  clickTryAgain,
  cutSockets,
  expect,
  expectAccessible,
  type Person,
  test,
} from './fixtures.ts'
import { befriend } from './sample-data.ts'

const bell = ({ page }: Person) => page.getByRole('link', { name: 'Notifications' })
const items = (page: Page) => page.getByRole('main').getByRole('listitem')

function want({ actor }: Account, title: string) {
  return actor.call(createWant, { body: { title, category_id: categories.produce } })
}

type Posted = Partial<CallInput<typeof createListing>['body']>

function list({ actor }: Account, title: string, fields: Posted = {}) {
  const body = {
    title,
    type_id: types.giveaway,
    category_id: categories.produce,
    is_public: false,
    ...fields,
  }
  return actor.call(createListing, { body })
}

const matchesOf = ({ actor }: Account) => actor.call(listMatches, { query: {} })

test('a listing that matches a want by a synonym notifies the member, explains the match, and can be dismissed', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  await befriend(bob, ann)
  const { page } = ann
  await page.goto('/matches')
  await expect(page.getByRole('main').getByText('Nothing fits your wish list yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Add wanted items' }).click()
  await page.getByRole('textbox', { name: 'produce, item 1' }).fill('Aubergines')
  await page.getByRole('button', { name: 'save' }).click()
  await expect(page).toHaveURL('/my-listings?tab=want')
  await expect(page.getByText('Aubergines')).toBeVisible()

  const title = `Eggplant of ${bob.username}`
  await bob.page.goto('/listings/new')
  await bob.page.getByLabel('Item name').fill('Eggplant')
  await expect(bob.page.getByText(/^\d+ gardeners? wants? this$/)).toBeVisible()
  await expectAccessible(bob.page)
  await bob.page.getByLabel('Item name').fill(title)
  await bob.page.getByLabel('Type').selectOption('giveaway')
  await bob.page.getByRole('checkbox', { name: 'publish the post to public' }).uncheck()
  await expect(bell(ann)).not.toContainText('unread')
  await bob.page.getByRole('button', { name: 'post' }).click()

  await expect(bell(ann)).toContainText('1 unread')
  await expect(page.getByRole('link', { name: /1 listing fits/ })).toBeVisible()
  await bell(ann).click()
  const notification = items(page).filter({ hasText: title })
  await expect(notification).toContainText(`${bob.username} has ${title}`)
  await expect(notification).toContainText('For “Aubergines”: eggplant is another name for aubergine')
  await notification.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

  await page.goto('/my-listings?tab=want')
  await expect(page.getByRole('link', { name: '1 match with your wish list' })).toHaveAttribute(
    'href',
    '/matches',
  )
  await page.getByRole('link', { name: /1 listing fits/ }).click()
  await expect(page).toHaveURL(/\/matches\?want=\d+$/)
  const match = items(page).filter({ hasText: title })
  await expect(match).toContainText('for “Aubergines”: eggplant is another name for aubergine')
  await expect(match).toContainText('giveaway')
  await match.getByRole('link', { name: /^Write to/ }).click()
  const composer = page.getByRole('textbox', { name: `Message to ${bob.username}` })
  await expect(composer).toBeFocused()
  await expect(composer).toBeInViewport()
  await expect(page.getByText(`About ${title}`)).toBeVisible()
  await page.goBack()

  await match.getByRole('button', { name: `not this ${title}` }).click()
  await expect(page.getByText('Not shown for “Aubergines” again')).toBeVisible()
  await expect(match).toHaveCount(0)
  await expect(page.getByRole('main').getByText('Nothing fits this want yet.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await matchesOf(ann)).toEqual([])
  expect(await ann.actor.call(listWants, { query: {} })).toMatchObject([{ listing_count: 0 }])
})

test('matches can be filtered by want, dismissed and restored, and failures are shown', async ({ world }) => {
  const [eve, fay] = [await world.member('eve'), await world.account('fay')]
  await befriend(eve, fay)
  const { page } = eve
  // Events of the socket would refetch before the test's tap does.
  await cutSockets(page, 'does not answer')
  await want(eve, 'Feijoas')
  await want(eve, 'Sapodillas')
  for (const kind of ['Apollo', 'Gemini']) await list(fay, `${kind} feijoas`)
  await list(fay, 'Sapodillas')
  await expect.poll(() => matchesOf(eve)).toHaveLength(3)

  await page.goto('/my-listings?tab=want')
  eve.allowErrors('Failed to load resource', 'The undo failed')
  const refusal = { status: 403, json: { detail: 'Not now.' } }
  // No match appears before the answer about the rings, which are above.
  const released = Promise.withResolvers<void>()
  await page.route('**/api/trades/rings', (route) => released.promise.then(() => route.fulfill(refusal)))
  const loaded = page.waitForResponse(/\/api\/matches$/)
  await page.getByRole('link', { name: '3 matches with your wish list' }).click()
  await loaded
  await expect(page.getByRole('heading', { level: 1, name: 'matches' })).toBeVisible()
  await expect(items(page)).toHaveCount(0)
  released.resolve()
  await expect(items(page)).toHaveCount(3)
  await page.getByLabel('My want').selectOption('Feijoas')
  await expect(items(page)).toHaveCount(2)
  const filteredCalls = /\/api\/matches\?want_id=/
  await page.route(filteredCalls, (route) => route.fulfill(refusal))
  await page.getByLabel('My want').selectOption('Sapodillas')
  await expect(page.getByRole('alert')).toContainText('Failed to load data')
  await clickTryAgain(page, filteredCalls)
  await expect(items(page)).toHaveCount(1)
  await page.getByLabel('My want').selectOption('all my wants')
  await expect(items(page)).toHaveCount(3)

  await page.clock.install()
  await page.route('**/api/matches/*/*', (route) => route.fulfill(refusal), { times: 1 })
  await items(page).first().getByRole('button').click()
  await expect(page.getByText('Not changed. Please try again.')).toBeVisible()
  await expect(items(page)).toHaveCount(3)
  const second = items(page).nth(1)
  const next = await second.getByRole('heading').textContent()
  await items(page).first().getByRole('button').click()
  await expect(items(page)).toHaveCount(2)
  await expect(page.getByRole('link', { name: next ?? '', exact: true })).toBeFocused()

  await page.route('**/api/matches/*/*', (route) => route.fulfill(refusal), { times: 1 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Not undone. Please try again.')).toBeVisible()
  expect(await matchesOf(eve)).toHaveLength(2)
  // Undo has no time limit.
  await page.clock.fastForward('01:00')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(items(page)).toHaveCount(3)
  expect(await matchesOf(eve)).toHaveLength(3)
})

test('a member sees a preview of the match mail', async ({ world }) => {
  const { page } = await world.member('ann')
  await page.goto('/match-noti')
  await expect(page.getByRole('region', { name: 'The match notification' })).toContainText('you want')
})
