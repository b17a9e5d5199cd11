// `npm run pictures` takes the screenshots of the README from a server with the demo data.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { browserArgs, findBrowser } from './browser.mjs'
import { startDemo } from './demo.ts'
import { buildWeb, root } from './setup.mjs'

const pictures = join(root, 'docs', 'pictures')
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 }

/** The screenshots that the README uses. */
const usedNames = ['market-desktop', 'my-lists-phone', 'listing-phone', 'matches-phone', 'conversation-phone']

/** Takes a screenshot if the README uses it. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (!usedNames.includes(name)) return
  await page.waitForLoadState('networkidle')
  const bytes = await page.screenshot({ animations: 'disabled' })
  await sharp(bytes)
    .webp({ quality: 82 })
    .toFile(join(pictures, `${name}.webp`))
}

await mkdir(pictures, { recursive: true })
await buildWeb()
await using demo = await startDemo(3470)
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: browserArgs,
})
try {
  for (const [size, options] of Object.entries({ phone, desktop })) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(`${demo.url}/login`)
    await page.getByLabel('Email').fill(demo.email)
    await page.getByLabel('Password').fill(demo.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('heading', { name: 'my lists' }).waitFor()
    await takePicture(page, `my-lists-${size}`)
    await page.getByRole('link', { name: 'marketplace' }).click()
    await page.getByRole('link', { name: /Rhubarb crowns/ }).waitFor()
    await takePicture(page, `market-${size}`)
    await page.getByRole('link', { name: /Rhubarb crowns/ }).click()
    await page.getByRole('button', { name: 'share' }).waitFor()
    await takePicture(page, `listing-${size}`)
    await page.getByRole('link', { name: /message/ }).click()
    await page.getByRole('link', { name: /old_orchard/ }).click()
    await page.getByText('Come by after six').waitFor()
    await takePicture(page, `conversation-${size}`)
    await page.goto(`${demo.url}/matches`)
    await page.getByRole('button', { name: 'not this' }).first().waitFor()
    await takePicture(page, `matches-${size}`)
    await context.close()
  }
} finally {
  await browser.close()
}
