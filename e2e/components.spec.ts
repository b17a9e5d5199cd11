import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import config from '../playwright.config.ts'
import { expect, long, test } from './fixtures.ts'

const root = join(import.meta.dirname, '..')
/** Built by `npm run build:components`. */
const gallery = join(root, '.cache', 'components')
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

/** Serves the gallery to the browser and opens it. */
async function openGallery(page: Page) {
  await page.route(`${site}/**`, (route) =>
    route.fulfill({ path: join(gallery, new URL(route.request().url()).pathname) }),
  )
  await page.goto(`${site}/components/index.html`)
  await expect(page.getByRole('heading', { name: 'Overlays' })).toBeVisible()
  // Pictures are lazy: load those below the fold before the screenshots.
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode())])
  })
}

async function expectGalleryAsStored(browser: Browser, size: keyof typeof sizes) {
  await using context = await browser.newContext(sizes[size])
  const page = await context.newPage()
  await openGallery(page)
  await checkGallery(page, size)
}

test('every component looks as in its stored screenshot on a phone', ({ browser }) =>
  expectGalleryAsStored(browser, 'phone'))

test('every component looks as in its stored screenshot on a desktop', long, ({ browser }) =>
  expectGalleryAsStored(browser, 'desktop'),
)

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
  const actionToast = page.getByText('An action.').locator('..')
  await expect.soft(actionToast).toHaveScreenshot(`action-toast-${size}.png`, tolerance)
  await page.getByRole('button', { name: 'Later' }).click()
  const toast = page.getByText('Link copied').locator('..')
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
  const scripts = async (folder: string) => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.js'))
    return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join()
  }
  const text = 'An action.'
  expect(await scripts(join(gallery, 'assets'))).toContain(text)
  expect(await scripts(join(root, 'dist/web/assets'))).not.toContain(text)
})
