import type { Page } from '@playwright/test'

const phone = { width: 412, height: 823 }
/** As Lighthouse does it: a phone's processor is a quarter as fast. */
const slowdown = 4

interface Tapped {
  readonly name: string
  readonly path: string
}

const taps: Record<string, (page: Page) => Promise<void>> = {
  async marketplace(page) {
    await page.getByRole('button', { name: 'Seeds' }).click()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Seeds' }).click()
    await page.getByRole('link', { name: "Friend's" }).click()
    await page.getByRole('link', { name: 'Public' }).click()
    await page.locator('main li a').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  async listing(page) {
    await page.getByRole('button', { name: 'share' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Back' }).click()
  },
  async conversation(page) {
    const box = page.getByPlaceholder('Type a message…')
    await box.pressSequentially('Is there any left?', { delay: 30 })
    await box.press('Enter')
    await page.getByRole('log').getByText('Is there any left?').first().waitFor()
  },
  async 'my lists'(page) {
    await page.locator('label:has([role=switch])').first().click()
    await page.getByRole('link', { name: 'Want', exact: true }).click()
    await page.getByRole('link', { name: 'Have', exact: true }).click()
    await page.getByRole('link', { name: 'marketplace' }).click()
  },
}

declare global {
  interface Window {
    tapsSeen: number[]
  }
}

/** The longest that an interaction took until what it did was painted, in milliseconds, per screen. */
export async function worstTap(
  page: Page,
  url: string,
  screens: readonly Tapped[],
): Promise<readonly (readonly [name: string, ms: number])[]> {
  await page.setViewportSize(phone)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    const seen: number[] = []
    window.tapsSeen = seen
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('interactionId' in entry && Number(entry.interactionId) > 0) seen.push(entry.duration)
      }
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
  const worst: [string, number][] = []
  for (const { name, path } of screens) {
    const tap = taps[name]
    if (tap === undefined) continue
    await page.goto(`${url}${path}`)
    await page.waitForLoadState('networkidle')
    await tap(page)
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => window.tapsSeen)
    worst.push([name, Math.max(0, ...seen)])
  }
  return worst
}
