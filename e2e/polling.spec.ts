import { pollMs } from '#contract/constants.ts'
import { cutSockets, expect, test } from './fixtures.ts'

test('polls the conversations every 5 seconds and the unread count every 30 while the socket is not connected', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.clock.install()
  await cutSockets(page, 'does not answer')
  const requests = { '/api/messages/threads': 0, '/api/messages/unread-count': 0 }
  for (const path of Object.keys(requests) as (keyof typeof requests)[])
    await page.route(`**${path}*`, (route) => {
      requests[path] += 1
      return path.endsWith('count') ? route.fulfill({ json: 100 }) : route.continue()
    })
  await page.goto('/messages')
  await expect(page.getByRole('main').getByText('No conversations found.')).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByText('99+')).toBeVisible()
  await expect(nav.getByRole('link', { name: 'message' })).toContainText('100 unread')

  const before = { ...requests }
  const since = (path: keyof typeof requests) => requests[path] - before[path]
  await page.clock.fastForward(pollMs.threads)
  await expect.poll(() => since('/api/messages/threads')).toBeGreaterThanOrEqual(1)
  await page.clock.fastForward(pollMs.unreadCount - pollMs.threads)
  await expect.poll(() => since('/api/messages/unread-count')).toBeGreaterThanOrEqual(1)
})
