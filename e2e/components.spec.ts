import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import config from '../playwright.config.ts'
import { expect, test } from './fixtures.ts'

const root = join(import.meta.dirname, '..')
const site = 'http://components.test'

/** Allows for anti-aliasing, which differs between browser versions. */
const tolerance = { maxDiffPixelRatio: 0.01 }

// Turns off font rendering that depends on the machine.
const { args = [], ...launchOptions } = config.use?.launchOptions ?? {}
test.use({
  launchOptions: {
    ...launchOptions,
    args: [
      ...args,
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--disable-font-subpixel-positioning',
    ],
  },
})

const sizes = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 900 }, hasTouch: false, isMobile: false, deviceScaleFactor: 1 },
} as const

/** Builds the component gallery in memory. Returns its files by their names. */
async function buildGallery() {
  const built = await build({
    root: join(root, 'web'),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(root, 'web/components/index.html') },
    },
  })
  if (!('output' in built)) throw new Error('The component gallery was not built')
  return new Map(built.output.map((file) => [file.fileName, file.type === 'asset' ? file.source : file.code]))
}

/** Serves the gallery to the browser and opens it. */
async function openGallery(page: Page, files: Awaited<ReturnType<typeof buildGallery>>) {
  await page.route(`${site}/**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1)
    const body = files.get(path)
    if (body === undefined) return route.fulfill({ status: 404 })
    const kind = path.slice(path.lastIndexOf('.') + 1) as keyof typeof contentTypes
    return route.fulfill({ body: Buffer.from(body), contentType: contentTypes[kind] })
  })
  await page.goto(`${site}/components/index.html`)
  await expect(page.getByRole('heading', { name: 'Overlays' })).toBeVisible()
  // Pictures are lazy: load those below the fold before the screenshots.
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode())])
  })
}

const contentTypes = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

test('every component looks as in its stored screenshots on a phone and a desktop', async ({ browser }) => {
  const files = await buildGallery()
  for (const [size, options] of Object.entries(sizes)) {
    await using context = await browser.newContext(options)
    const page = await context.newPage()
    await openGallery(page, files)
    await checkGallery(page, size)
  }
})

/** Compares each component and dialog with its stored screenshot of this size. */
async function checkGallery(page: Page, size: string) {
  for (const component of await page.getByRole('region').all()) {
    const name = (await component.getByRole('heading').first().innerText()).toLowerCase().replaceAll(' ', '-')
    await expect.soft(component).toHaveScreenshot(`${name}-${size}.png`, tolerance)
  }
  const dialog = page.getByRole('dialog')
  for (const name of ['question', 'failure', 'form', 'link']) {
    const opener = page.getByRole('button', { name, exact: true })
    await opener.click()
    await page.mouse.move(0, 0)
    await expect.soft(dialog).toHaveScreenshot(`dialog-${name}-${size}.png`, tolerance)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.mouse.move(0, 0)
    // The dialog is removed after a frame and then returns the focus. Wait for both.
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  const button = page.getByRole('button', { name: 'toast', exact: true })
  await button.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await expect
    .soft(page.getByRole('region', { name: 'Overlays' }))
    .toHaveScreenshot(`focus-${size}.png`, tolerance)
  await page.getByRole('button', { name: 'action toast' }).click()
  await expect.soft(page.getByText('An action.')).toHaveScreenshot(`action-toast-${size}.png`, tolerance)
  await page.getByRole('button', { name: 'Later' }).click()
  const toast = page.getByText('Link copied')
  // A toast closes after four seconds, unless the pointer is over it.
  await expect(async () => {
    await button.click()
    await toast.hover({ timeout: 2000 })
  }).toPass()
  await expect.soft(toast).toHaveScreenshot(`toast-${size}.png`, tolerance)
  await toast.click()
  await expect(toast).toHaveCount(0)
}

test('the component gallery is not in the production build', async () => {
  const built = await readFile(join(root, 'dist/web/.vite/manifest.json'), 'utf8')
  expect(built).not.toContain('components/')
})
