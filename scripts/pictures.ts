// `npm run pictures`: the pictures of the README, taken of the real product with its demo gardeners.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findBrowser } from './browser.mjs'
import { buildWeb, environment, root } from './setup.mjs'

const pictures = join(root, 'docs', 'pictures')
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 }

/** The running product, and how to log in to it, as `npm start` prints them. */
async function startDemo(dataDir: string) {
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...environment, DATA_DIR: dataDir, PORT: '3470', METRICS_PORT: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url: string | undefined
  for await (const line of createInterface(server.stdout)) {
    url ??= /ready at (\S+)/.exec(line)?.[1]
    const [, email, password] = /as (\S+) with the password (\S+)/.exec(line) ?? []
    if (url && email && password) return { server, url, email, password }
  }
  throw new Error('Rhubarb did not start')
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  const bytes = await page.screenshot({ animations: 'disabled' })
  await sharp(bytes)
    .webp({ quality: 82 })
    .toFile(join(pictures, `${name}.webp`))
}

const dataDir = await mkdtemp(join(tmpdir(), 'rhubarb-pictures-'))
await mkdir(pictures, { recursive: true })
await buildWeb()
const demo = await startDemo(dataDir)
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const [size, options] of Object.entries({ phone, desktop })) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(demo.url)
    await take(page, `landing-${size}`)
    await page.goto(`${demo.url}/login`)
    await page.getByLabel('Email').fill(demo.email)
    await page.getByLabel('Password').fill(demo.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('heading', { name: 'my lists' }).waitFor()
    await take(page, `my-lists-${size}`)
    await page.getByRole('link', { name: 'marketplace' }).click()
    await page.getByRole('link', { name: /Rhubarb crowns/ }).waitFor()
    await take(page, `market-${size}`)
    await page.getByRole('link', { name: /Rhubarb crowns/ }).click()
    await page.getByRole('button', { name: 'share' }).waitFor()
    await take(page, `listing-${size}`)
    await page.getByRole('link', { name: /message/ }).click()
    await page.getByRole('link', { name: /old_orchard/ }).click()
    await page.getByText('Come by after six').waitFor()
    await take(page, `conversation-${size}`)
    await page.goto(`${demo.url}/matches`)
    await page.getByRole('button', { name: 'not this' }).first().waitFor()
    await take(page, `matches-${size}`)
    await context.close()
  }
} finally {
  await browser.close()
  demo.server.kill('SIGTERM')
  await once(demo.server, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}
