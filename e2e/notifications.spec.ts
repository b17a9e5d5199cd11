import type { Page } from '@playwright/test'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications, type Notification } from '#contract/notifications.ts'
import { createTrade, withdrawTrade } from '#contract/trades.ts'
import { cutSockets, expect, type Person, test } from './fixtures.ts'
import { setTextSize } from './layout-faults.ts'
import { list } from './trading.ts'

const bell = ({ page }: Person) => page.getByRole('link', { name: 'Notifications' })
const rows = ({ page }: Person) => page.getByRole('main').getByRole('listitem')

test('a notification is counted at the bell at once, listed, and read once it was displayed', async ({
  world,
}) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.member('bob'), await world.account('cat')]
  const { page } = ann
  await page.goto('/my-listings')
  await expect(bell(ann)).not.toContainText('unread')
  const { request_id } = await bob.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  await expect(bell(ann)).toContainText('1 unread')
  await bell(ann).click()
  await expect(page).toHaveURL('/notifications')
  await expect(rows(ann)).toHaveText([new RegExp(`${bob.username} would like to be your friend.*unread`)])
  await expect
    .poll(async () => (await ann.actor.call(listNotifications, { query: {} })).map(({ read_at }) => read_at))
    .toEqual([expect.any(String)])

  // A notification that arrives while the screen is open counts as read, but is marked as new.
  await cat.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  await expect(rows(ann)).toHaveText([new RegExp(`${cat.username}.*unread`), /unread/])
  await rows(ann).nth(1).getByRole('link').click()
  await expect(page).toHaveURL('/myfriends?view=invitations')
  await expect(page.getByRole('heading', { name: 'my friends' })).toBeVisible()
  await expect(page.getByRole('link', { name: bob.username })).toBeVisible()
  await expect(bell(ann)).not.toContainText('unread')
  await page.goBack()
  await expect(rows(ann)).toHaveCount(2)
  await expect(rows(ann).filter({ hasText: 'unread' })).toHaveCount(0)

  await bob.page.goto('/notifications')
  await expect(bob.page.getByRole('main').getByText('No notifications yet.')).toBeVisible()
  await ann.actor.call(respondToFriend, { body: { request_id: request_id ?? 0, accept: true } })
  await expect(rows(bob)).toHaveText([new RegExp(`${ann.username} and you are friends now`)])
  await rows(bob).getByRole('link').click()
  await expect(bob.page).toHaveURL(`/seller/${ann.actor.id}`)

  // The end of a request by a block names nobody.
  const listing_id = await list(cat, 'Parsnips', { is_public: true })
  await bob.actor.call(createTrade, { body: { listing_id } })
  await cat.actor.call(blockMember, { params: { id: bob.actor.id } })
  await bob.page.goto('/notifications')
  await expect(rows(bob).first()).toContainText('Parsnips is not offered any more')
  await expect(rows(bob).first()).not.toContainText(cat.username)

  await test.step('the friends screen marks notifications as read only while it is visible', async () => {
    await page.goto('/myfriends')
    await setVisibility(page, 'hidden')
    for (const count of [1, 2]) {
      const { actor } = await world.account('dan')
      await actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
      await expect(bell(ann)).toContainText(`${count} unread`)
    }
    await setVisibility(page, 'visible')
    await expect(bell(ann)).not.toContainText('unread')
  })
})

test('looking at a trade, a listing or a member reads the notifications about them, and the title has the count', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  await page.addInitScript(() => {
    Object.assign(navigator, {
      setAppBadge: async (count: number) => sessionStorage.setItem('badge', String(count)),
    })
  })
  const badge = () => page.evaluate(() => sessionStorage.getItem('badge'))
  const listing_id = await list(ann, 'Parsnips', { is_public: true })
  await page.goto('/my-listings')
  await bob.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  const { id } = await bob.actor.call(createTrade, { body: { listing_id } })
  await expect(bell(ann)).toContainText('2 unread')
  // The trade began with a message.
  await expect(page).toHaveTitle('(3) My lists · Rhubarb')
  expect(await badge()).toBe('3')

  await page.goto(`/trades/${id}`)
  await expect(bell(ann)).toContainText('1 unread')
  await page.goto(`/seller/${bob.actor.id}`)
  await expect(bell(ann)).not.toContainText('unread')
  await expect(page).toHaveTitle(new RegExp(`^\\(1\\) @${bob.username}`))

  await page.goto(`/trades/${id}`)
  await bob.actor.call(withdrawTrade, { params: { id } })
  await expect(page.getByRole('main')).toContainText(/withdr|ended/)
  const states = async () =>
    (await ann.actor.call(listNotifications, { query: {} })).map(({ kind, read_at }) => [
      kind,
      read_at !== null,
    ])
  await expect.poll(states).toEqual(
    expect.arrayContaining([
      ['trade_withdrawn', true],
      ['trade_requested', true],
    ]),
  )
})

test('the unread count does not hide the bell in large text', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  await bob.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my-listings')
  await expect(bell(ann)).toContainText('1 unread')
  await setTextSize(page, '200%')
  const coveredShare = await bell(ann).evaluate((link) => {
    const [icon, count] = [...link.querySelectorAll('[aria-hidden]')].map((part) =>
      part.getBoundingClientRect(),
    )
    if (icon === undefined || count === undefined) throw new Error('The bell has no icon and count')
    const width = Math.min(icon.right, count.right) - Math.max(icon.left, count.left)
    const height = Math.min(icon.bottom, count.bottom) - Math.max(icon.top, count.top)
    return (Math.max(width, 0) * Math.max(height, 0)) / (icon.width * icon.height)
  })
  expect(coveredShare).toBeLessThan(0.25)
})

test('the list can be tried again after a failure, and loads more on scrolling', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  const user = { id: ann.actor.id, username: 'somebody', profile_picture: null }
  const notification = (id: number): Notification => ({
    id,
    kind: 'friend_accepted',
    created_at: new Date(Date.UTC(2026, 0, 1, 0, id)).toISOString(),
    read_at: '2026-02-01T00:00:00.000Z',
    user,
    match: null,
    listing: null,
    price_drop: null,
    trade: null,
    notice: null,
  })
  const firstPage = Array.from({ length: 24 }, (_, index) => notification(100 - index))
  let refused = true
  // Events of the socket would refetch before the test's tap does.
  await cutSockets(page, 'does not answer')
  ann.allowErrors('Failed to load resource')
  await page.route(/\/api\/notifications(\?|$)/, (route) => {
    if (refused) return route.fulfill({ status: 403, json: {} })
    if (route.request().url().includes('cursor=76')) return route.fulfill({ json: [notification(1)] })
    return route.fulfill({
      json: firstPage,
      headers: { link: '</api/notifications?cursor=76>; rel="next"' },
    })
  })
  await page.goto('/notifications')
  await expect(page.getByRole('alert')).toContainText('Failed to load data')
  refused = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(ann)).toHaveCount(24)
  await rows(ann).last().scrollIntoViewIfNeeded()
  await expect(rows(ann)).toHaveCount(25)
})

function setVisibility(page: Page, state: DocumentVisibilityState) {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
