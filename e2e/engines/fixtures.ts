import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test as base, expect, type TestInfo } from '@playwright/test'
import { type Account, loginRecord, register, url } from '../fixtures.ts'
import type { EngineBrowser, EngineName } from './driver.ts'
import { missingPackages, startEngine } from './installed.ts'
import { EnginePage } from './page.ts'

export { expect } from '@playwright/test'

interface Engine {
  readonly browser?: EngineBrowser
  /** The packages that it needs and that are not installed. */
  readonly missing: readonly string[]
}

interface Fixtures {
  /** A page with an empty profile. An error or warning of its console, or a violation of the policy, fails the test. */
  tab: EnginePage
  account: (name: string) => Promise<Account>
  /** Logs a member in at the page. */
  logIn: (account: Account, path: string) => Promise<void>
}

export const test = base.extend<Fixtures, { engineName: EngineName; engine: Engine }>({
  engineName: ['Chromium', { scope: 'worker', option: true }],

  engine: [
    async ({ engineName }, use) => {
      const missing = missingPackages(engineName)
      if (missing.length > 0) return use({ missing })
      const browser = await startEngine(engineName)
      await use({ browser, missing })
      await browser.close()
    },
    { scope: 'worker' },
  ],

  account: async ({ browserName: _ }, use) => use(register),

  tab: async ({ engine: { browser, missing } }, use, info) => {
    if (browser === undefined) return test.skip(true, `install ${missing.join(' ')}`)
    const driver = await browser.open()
    await use(new EnginePage(driver, url()))
    if (info.status !== info.expectedStatus) await keepScreenshot(info, driver.screenshot())
    const faults = driver.takeFaults()
    await driver.close()
    expect(faults).toEqual([])
  },

  logIn: async ({ tab }, use) => {
    await use(async ({ actor }, path) => {
      await tab.driver.goto(`${actor.server}/robots.txt`)
      await tab.evaluate((record) => localStorage.setItem('auth', record), loginRecord(actor))
      await tab.goto(path)
    })
  },
})

async function keepScreenshot(info: TestInfo, taken: Promise<Buffer>) {
  const path = info.outputPath('failed.png')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await taken)
}
