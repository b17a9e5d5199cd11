import { expect, test } from 'vitest'
import { emptyFacts, type Notification } from '#contract/notifications.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { NotificationRow } from './notification-row.tsx'

const notification: Notification = {
  ...emptyFacts,
  id: 7,
  kind: 'friend_request',
  created_at: '2026-05-01T12:00:00.000Z',
  read_at: null,
  user: { id: 2, username: 'bob', profile_picture: null },
}

test('a kind that is newer than the page is news that need a reload', async () => {
  const { screen, show } = await renderInApp(<NotificationRow notification={notification} unread />)
  const text = () => screen.container.textContent
  await expect.poll(text).toContain('bob would like to be your friend')
  for (const kind of ['from_the_future', 'constructor']) {
    await show(<NotificationRow notification={{ ...notification, kind }} unread />)
    await expect.poll(text).toContain('Reload the page to see it.')
    expect(screen.getByRole('link').element().getAttribute('href')).toBe('/notifications')
  }
})

test('a match is one text with its reason and the number of others', async () => {
  const withOthers = (more: number) => ({
    ...notification,
    kind: 'match',
    match: {
      want_id: 2,
      want_title: 'zucchini',
      listing_id: 3,
      listing_title: 'Courgettes',
      reason: 'the same plant',
      more,
    },
  })
  const { screen, show } = await renderInApp(<NotificationRow notification={withOthers(0)} unread />)
  const text = () => screen.container.textContent
  await expect.poll(text).toContain('bob has Courgettes')
  expect(text()).toContain('For “zucchini”: the same plant.')
  expect(text()).not.toContain('more')
  await show(<NotificationRow notification={withOthers(2)} unread />)
  await expect.poll(text).toContain('For “zucchini”: the same plant. And 2 more.')
})

test('a pickup is one text with its time', async () => {
  const trade = {
    id: 5,
    kind: 'single' as const,
    state: 'accepted' as const,
    end_reason: null,
    listing_id: 3,
    listing_title: 'Courgettes',
    pickup_starts_at: '2026-05-02T12:00:00.000Z',
  }
  const pickup = { ...notification, kind: 'pickup_proposed', trade }
  const { screen, show } = await renderInApp(<NotificationRow notification={pickup} unread />)
  const text = () => screen.container.textContent
  await expect.poll(text).toMatch(/bob proposes a pickup of Courgettes: .*May/)
  await show(
    <NotificationRow notification={{ ...pickup, trade: { ...trade, pickup_starts_at: null } }} unread />,
  )
  await expect.poll(text).toMatch(/bob proposes a pickup of Courgettes(?!:)/)
})
