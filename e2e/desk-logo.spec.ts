import type { Page } from '@playwright/test'
import { getSiteSettings, type SiteLogo, saveSiteLogo, saveSiteSettings } from '#contract/site-settings.ts'
import { type Account, desktop, expect, expectAccessible, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { startOwnSite } from './own-site.ts'
import { photo } from './photos.ts'
import { makeModerator } from './sample-data.ts'

test.use({ viewport: phone, isMobile: false, hasTouch: false })
test.describe.configure({ mode: 'serial' })

startOwnSite('e2e-logo.log')

const logoSection = (page: Page) => page.getByRole('region', { name: 'Logo' })
const chosenBy = (page: Page) => logoSection(page).locator('input[type=file]')

/** Saves a picture as the logo through the API. */
async function saveLogo({ actor }: Account, size: { width: number; height: number }): Promise<SiteLogo> {
  const { buffer } = await photo(size)
  const { version } = await actor.call(getSiteSettings)
  const { settings } = await actor.call(saveSiteLogo, {
    body: { version },
    file: new Blob([new Uint8Array(buffer)]),
  })
  return settings.logo as SiteLogo
}

/** Expects the logo in the header of the page, loaded and in its shape. */
async function expectLogo(page: Page, { src }: SiteLogo) {
  const shown = page.getByRole('link', { name: 'Oak Street, home' }).getByAltText('Oak Street')
  await expect(shown).toBeVisible()
  await expect(shown).toHaveAttribute('src', src)
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
}

test('an operator uploads a logo, which a guest sees in the header, and removes and restores it', async ({
  world,
}) => {
  const [olga, guest] = await Promise.all([world.member('olga'), world.visitor()])
  await makeModerator(olga, 'operator')
  const { page, allowErrors } = olga
  allowErrors(/status of 4(15|22)/)
  const { version } = await olga.actor.call(getSiteSettings)
  await olga.actor.call(saveSiteSettings, { body: { version, name: 'Oak Street' } })
  await page.goto('/desk/site')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  const section = logoSection(page)
  const sentence = page.getByLabel('Sentence of the site')
  await sentence.fill('Beans over every fence')

  await test.step('a file that is no picture has a sentence, and what was typed stays', async () => {
    await chosenBy(page).setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await expect(section.getByRole('alert')).toContainText('This file is not an image we can read')
    await chosenBy(page).setInputFiles(await photo({ width: 120, height: 400 }))
    await expect(section.getByRole('alert')).toContainText('at most 2 times as high as it is wide')
    await expect(sentence).toHaveValue('Beans over every fence')
    await expectAccessible(page, 'a refused logo')
  })

  await chosenBy(page).setInputFiles(await photo({ width: 640, height: 160 }))
  await expect(section.getByRole('status')).toHaveText('The settings are saved.')
  await expect(section.getByAltText('Oak Street')).toBeVisible()
  await expect(sentence).toHaveValue('Beans over every fence')
  const newest = page.getByRole('region', { name: 'History' }).getByRole('listitem').first()
  await expect(newest.getByAltText('Logo')).toBeVisible()
  await expectAccessible(page, 'the settings with a logo')
  await expectNoLayoutFaults(page, '/desk/site')
  const { logo } = (await olga.actor.call(getSiteSettings)).settings

  await test.step('a guest sees it on the front page, which has no script, and on others', async () => {
    await guest.page.setViewportSize(phone)
    for (const path of ['/', '/login']) {
      await guest.page.goto(path)
      await expectLogo(guest.page, logo as SiteLogo)
      await expectAccessible(guest.page, `${path} with a logo`)
    }
    await guest.page.goto('/')
    await expect(guest.page.getByRole('main').getByAltText('Oak Street')).toBeVisible()
    await expect(guest.page.getByRole('contentinfo').getByAltText('Oak Street')).toHaveCount(1)
    await expect(guest.page.locator('meta[property="og:image"]')).toHaveAttribute(
      'content',
      new RegExp(`^https?://.*${logo?.jpeg}$`),
    )
  })

  await test.step('removed, the name is there again; the history restores the logo', async () => {
    await section.getByRole('button', { name: 'remove the logo' }).click()
    await expect(section).toContainText('There is none')
    await guest.page.reload()
    await expect(guest.page.getByAltText('Oak Street')).toHaveCount(0)
    await expect(guest.page.getByRole('main')).toContainText('Oak Street')
    const earlier = page.getByRole('region', { name: 'History' }).getByRole('listitem').nth(1)
    await earlier.getByRole('button', { name: 'restore this version' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'restore' }).click()
    await expect(section.getByAltText('Oak Street')).toHaveAttribute('src', logo?.src ?? '')
  })
})

for (const [shape, size] of [
  ['tall', { width: 200, height: 400 }],
  ['wide', { width: 1600, height: 200 }],
] as const)
  test(`a ${shape} logo fits the header of a member and a guest, with large text and in the dark`, async ({
    world,
  }) => {
    const [olga, guest] = await Promise.all([world.member('olga'), world.visitor()])
    await makeModerator(olga, 'operator')
    const logo = await saveLogo(olga, size)
    for (const { page } of [olga, guest]) {
      await page.emulateMedia({ colorScheme: 'dark' })
      for (const viewport of [phone, desktop]) {
        await page.setViewportSize(viewport)
        for (const textSize of ['100%', '200%']) {
          for (const path of page === guest.page ? ['/', '/login'] : ['/', '/listings']) {
            await page.goto(path)
            await setTextSize(page, textSize)
            // On a phone, the header of members has no room for it.
            if (path !== '/listings' || viewport === desktop) await expectLogo(page, logo)
            await expectNoLayoutFaults(page, `${path} with a ${shape} logo and a text of ${textSize}`)
            const shown = await page.getByAltText('Oak Street').first().boundingBox()
            // A header is not higher than with the drawn name.
            expect(shown?.height ?? 0).toBeLessThanOrEqual(textSize === '100%' ? 44 : 88)
          }
        }
      }
      await expectAccessible(page, `a ${shape} logo in the dark`)
    }
  })
