import config from '../playwright.config.ts'
import { desktop, expect, test } from './fixtures.ts'
import { expectNoLayoutFaults } from './layout-faults.ts'
import { memberScreens } from './member-screens.ts'
import { createSampleData } from './sample-data.ts'
import { expectShown } from './screens.ts'

const launchOptions = config.use?.launchOptions
test.use({
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--blink-settings=defaultFontSize=32'],
  },
})

test('a desktop with a text of 200 % in the settings of the browser has the layout of a smaller window', async ({
  world,
}) => {
  const data = await createSampleData(world)
  const { page } = data.ann
  const screens = memberScreens(data)
  await page.setViewportSize(desktop)
  for (const path of ['/listings', '/my-listings', '/messages', '/profile']) {
    const [screen] = screens[path] ?? []
    await page.goto(screen?.at ?? path)
    await expectShown(page, screen?.shows ?? '')
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    await expectNoLayoutFaults(page, path)
  }
})
