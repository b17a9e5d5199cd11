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
