import { expect, test } from './fixtures.ts'

test('the navigation and the footer are at the same place on every screen', async ({ world }) => {
  const { page } = await world.member('ann')
  for (const width of [800, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const places = new Set<string>()
    for (const path of ['/listings', '/my-listings', '/profile', '/listings/new']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const boxes = await page
        .locator('header:has(nav) a, footer a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect()))
      places.add(boxes.map(({ left, right }) => `${left.toFixed()}–${right.toFixed()}`).join(', '))
    }
    expect([...places], `at ${width} pixels`).toHaveLength(1)
  }
})
