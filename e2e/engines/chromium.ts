import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'
import { type Driver, type EngineBrowser, reportViolations, windowSize } from './driver.ts'

/** Starts Chromium by Playwright. */
export async function startChromium(): Promise<EngineBrowser> {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArgs })
  return {
    async open(): Promise<Driver> {
      const context = await browser.newContext({
        viewport: windowSize,
        locale: 'en-US',
        serviceWorkers: 'allow',
      })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await context.addInitScript(`(${reportViolations})()`)
      const faults: string[] = []
      context.on('weberror', (error) => faults.push(String(error.error().stack)))
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          faults.push(`${message.type()}: ${message.text()}`)
      })
      const page = await context.newPage()
      return {
        goto: async (url) => void (await page.goto(url)),
        evaluate: (source, args) => page.evaluate(`(${source})(...${JSON.stringify(args)})`),
        clickAt: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        press: (key) => page.keyboard.press(key),
        chooseFiles: (selector, paths) => page.locator(selector).setInputFiles([...paths]),
        back: async () => void (await page.goBack({ waitUntil: 'commit' })),
        screenshot: () => page.screenshot(),
        takeFaults: () => faults.splice(0),
        close: () => context.close(),
      }
    },
    close: () => browser.close(),
  }
}
