import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { changeImage, uploadImage } from '#contract/images.ts'
import { createListing } from '#contract/listings.ts'
import { type Account, desktop, expect, expectAccessible, test } from './fixtures.ts'
import { photo } from './photos.ts'
import { doubleTap, spreadFingers, swipeLeft } from './touch.ts'

const title = 'Rhubarb crowns'
const described = 'Three crowns in a bucket'
const photos = (page: Page) => page.getByRole('main').getByRole('list', { name: 'Photos' })
const viewer = (page: Page) => page.getByRole('dialog', { name: title })

/** Posts a listing with this number of photos. The second one has a description. */
async function postWithPhotos({ actor }: Account, count: number): Promise<number> {
  const { buffer } = await photo({ width: 640, height: 480 })
  const file = new Blob([Uint8Array.from(buffer)], { type: 'image/jpeg' })
  const image_ids: number[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await actor.call(uploadImage, { body: {}, file })
    if (index === 1) await actor.call(changeImage, { params: { id }, body: { alt: described } })
    image_ids.push(id)
  }
  return (await actor.call(createListing, { body: { title, type_id: types.giveaway, image_ids } })).id
}

test('the photos of a listing are swiped on a phone, chosen on a desktop, shown full screen and zoomed', async ({
  world,
}) => {
  const [ann, { page }] = [await world.account('ann'), await world.member('bob')]
  await page.goto(`/listings/${await postWithPhotos(ann, 3)}`)
  await expect(photos(page).getByRole('img')).toHaveCount(3)
  const named = (name: string) => photos(page).getByRole('img', { name })
  const [first, second, third] = [
    named(`Photo 1 of 3 of ${title}`),
    named(described),
    named(`Photo 3 of 3 of ${title}`),
  ] as const
  const open = page.getByRole('button', { name: `Show ${described} full screen` })
  const image = viewer(page).getByRole('img', { name: described })
  const openSecond = async () => {
    await expect(second).toBeInViewport({ ratio: 0.9 })
    await expect(first).not.toBeInViewport()
    await open.click()
    await expect(viewer(page).getByRole('status')).toHaveText('2 of 3')
    await expect(image).toBeInViewport({ ratio: 0.9 })
  }
  const closeThird = async () => {
    const status = viewer(page).getByRole('status')
    await page.keyboard.press('ArrowRight')
    await expect(status).toHaveText('3 of 3')
    await expect(viewer(page).getByRole('button', { name: 'Next photo' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toBeHidden()
    await expect(third).toBeInViewport({ ratio: 0.9 })
  }
  await expect(first).toBeInViewport()
  await expect(second).not.toBeInViewport()
  await photos(page).evaluate((row) => row.scrollBy({ left: row.clientWidth, behavior: 'instant' }))
  await expect(second).toBeInViewport({ ratio: 0.9 })
  await expectAccessible(page)
  await openSecond()
  await expectAccessible(page)
  await closeThird()

  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: 'Photo 1', exact: true }).click()
  await expect(first).toBeInViewport()
  await expect(second).not.toBeInViewport()
  await page.getByRole('button', { name: 'Photo 2', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Photo 2', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await openSecond()
  await closeThird()

  await page.getByRole('button', { name: 'Photo 2', exact: true }).click()
  await openSecond()
  const width = async () => (await image.boundingBox())?.width ?? 0
  const unzoomed = await width()
  await image.dblclick()
  await expect.poll(width).toBe(2 * unzoomed)
  await viewer(page).getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(width).toBe(unzoomed)
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width).toBe(2 * unzoomed)
  await page.goBack()
  await expect(viewer(page)).toBeHidden()
  await expect(open).toBeFocused()
})

test('fingers swipe the photos of a listing, and zoom them in the viewer by a pinch or a double tap', async ({
  world,
}) => {
  const [ann, { page }] = [await world.account('ann'), await world.member('bob')]
  await page.goto(`/listings/${await postWithPhotos(ann, 2)}`)
  const named = (name: string) => photos(page).getByRole('img', { name })
  await expect(named(`Photo 1 of 2 of ${title}`)).toBeInViewport()
  // Screen readers have the names of the photos instead of the dots.
  const dots = page.getByRole('main').locator('p[aria-hidden="true"] > span')
  const dotColors = () =>
    dots.evaluateAll((spans) => spans.map((span) => getComputedStyle(span).backgroundColor))
  const [current = '', other = ''] = await dotColors()
  expect(current).not.toBe(other)
  await expect(dots.first()).toBeVisible()
  await swipeLeft(photos(page), 240)
  await expect(named(described)).toBeInViewport({ ratio: 0.9 })
  await expect.poll(dotColors).toEqual([other, current])

  await page.getByRole('button', { name: `Show ${described} full screen` }).tap()
  const image = viewer(page).getByRole('img', { name: described })
  await expect(image).toBeInViewport({ ratio: 0.9 })
  const width = async () => (await image.boundingBox())?.width ?? 0
  const unzoomed = await width()
  await doubleTap(image)
  await expect.poll(width).toBe(2 * unzoomed)
  // Elsewhere, because Chromium counts further taps at one place as a triple tap.
  await doubleTap(viewer(page).getByRole('list', { name: 'Photos' }), 150)
  await expect.poll(width).toBe(unzoomed)

  const scale = () => page.evaluate(() => window.visualViewport?.scale ?? 1)
  expect(await scale()).toBe(1)
  await spreadFingers(image)
  await expect.poll(scale).toBeGreaterThan(1.5)
})
