import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { uploadImage } from '#contract/images.ts'
import { createListing, getListing, type Listing } from '#contract/listings.ts'
import { photo as smallPhoto } from '#test/pictures.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'
import { listingsOf, rowOf } from './my-listings.ts'
import { brokenPhoto, disguisedText, photo, storedPhotos } from './photos.ts'
import { touchDrag } from './touch.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const description = (page: Page, place: number) => page.getByLabel(`Describe photo ${place}`)
const announcement = (page: Page, text: string) => page.getByRole('status').getByText(text)

/** Adds photos of these widths, which tell them apart. */
async function addPhotos(page: Page, ...widths: number[]) {
  const files = await Promise.all(widths.map((width) => photo({ width, height: 200, name: `${width}.jpg` })))
  await page.locator('input[type=file]').setInputFiles(files)
}

/** Returns the widths of the shown photos in their order. */
function shownWidths(page: Page) {
  return page
    .getByRole('img', { name: /^Photo \d$/ })
    .evaluateAll((images: HTMLImageElement[]) => images.map((image) => image.naturalWidth))
}

async function expectWidths(page: Page, widths: number[]) {
  await expect.poll(() => shownWidths(page)).toEqual(widths)
}

async function expectAllSent(page: Page) {
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

function widthsOf(listing: Listing | undefined) {
  return listing?.images.map(({ width }) => width)
}

/** Posts a giveaway with photos of these widths through the API. */
async function postWithPhotos({ actor }: Account, ...widths: number[]): Promise<Listing> {
  const image_ids: number[] = []
  for (const width of widths) {
    const file = await smallPhoto({ width, height: 200 })
    image_ids.push((await actor.call(uploadImage, { body: {}, file })).id)
  }
  return actor.call(createListing, { body: { title: 'Bean poles', type_id: types.giveaway, image_ids } })
}

test('photos are ordered by buttons, keys and dragging, described, removed and posted', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('415')
  await page.goto('/listings/new')
  // The server refuses what the browser can not read either.
  await page.locator('input[type=file]').setInputFiles(brokenPhoto)
  await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
  await expect(page.getByText('broken.jpg')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText('cover', { exact: true })).toHaveCount(0)
  await button(page, 'Remove photo 1').click()
  // A file is known by its bytes, not by its type. It is named and no photo.
  await page.locator('input[type=file]').setInputFiles(disguisedText)
  await expect(page.getByText('notes.jpg is no picture and is left out.')).toBeVisible()
  await expect(button(page, 'Remove photo 1')).toHaveCount(0)
  await expectAccessible(page)
  await button(page, 'Remove notes.jpg').click()
  await expect(page.getByText(errorMessages.notAnImage)).toBeHidden()
  await page.locator('input[type=file]').setInputFiles(disguisedText)
  await addPhotos(page, 200, 240, 280)
  await expectWidths(page, [200, 240, 280])
  await expect(page.getByRole('listitem').filter({ hasText: 'cover' })).toHaveCount(1)
  await expectAllSent(page)

  await button(page, 'Move photo 3 earlier').click()
  await expectWidths(page, [200, 280, 240])
  await expect(announcement(page, 'Photo moved to place 2 of 3')).toBeAttached()
  // The button keeps the focus, so a photo moves on with every key press.
  await button(page, 'Move photo 1 later').press('Enter')
  await page.keyboard.press('ArrowDown')
  await expectWidths(page, [280, 240, 200])
  await expect(button(page, 'Move photo 3 later')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectWidths(page, [280, 240, 200])
  await page.getByRole('img', { name: 'Photo 3' }).dragTo(page.getByRole('img', { name: 'Photo 1' }))
  await expectWidths(page, [200, 280, 240])

  await page.getByText('Describe the photos').click()
  await description(page, 2).fill('Six poles against a wall')
  await expect(page.getByText('24/150')).toBeVisible()
  await button(page, 'Remove photo 1').click()
  await expect(announcement(page, 'Photo removed')).toBeAttached()
  await expect(description(page, 1)).toHaveValue('Six poles against a wall')

  await page.getByLabel('Item name').fill('Bean poles')
  await page.getByLabel('Type').selectOption('giveaway')
  await button(page, 'post').click()
  await expect(rowOf(page, 'Bean poles')).toBeVisible()
  const [posted] = await listingsOf(ann)
  expect(widthsOf(posted)).toEqual([280, 240])
  expect(posted?.images.map(({ alt }) => alt)).toEqual(['Six poles against a wall', null])

  // The draft of the next listing is empty.
  await page.goto('/listings/new')
  await expect(page.getByText('Choose a photo')).toBeVisible()
  await expect(page.getByText('Your changes from before are back.')).toHaveCount(0)
})

test('a finger drags a photo to another place after a long press, and scrolls the page otherwise', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.goto('/listings/new')
  await addPhotos(page, 200, 240, 280)
  await expectWidths(page, [200, 240, 280])
  await expectAllSent(page)
  const [first, last] = [
    page.getByRole('img', { name: 'Photo 1' }),
    page.getByRole('img', { name: 'Photo 3' }),
  ]
  const showAll = () =>
    page.getByRole('img', { name: 'Photo 2' }).evaluate((image) => image.scrollIntoView({ block: 'center' }))
  await showAll()
  const scrolledBy = () => page.evaluate(() => window.scrollY)
  const before = await scrolledBy()
  // The photos are side by side, so the finger moves up.
  await touchDrag(last, page.getByRole('heading', { name: 'new listing' }), async () => undefined)
  await expect.poll(scrolledBy).toBeGreaterThan(before)
  await expectWidths(page, [200, 240, 280])

  await showAll()
  const after = await scrolledBy()
  const dragged = page.getByRole('listitem').filter({ has: last }).and(page.locator('[data-dragged]'))
  await touchDrag(last, first, () => expect(dragged).toBeVisible())
  await expectWidths(page, [280, 200, 240])
  expect(await scrolledBy()).toBe(after)
  await expect(announcement(page, 'Photo moved to place 1 of 3')).toBeAttached()
})

test('two tabs post the same draft, each with its own copy of the photos', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('422')
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Bean poles')
  await page.getByLabel('Type').selectOption('giveaway')
  await addPhotos(page, 200, 240)
  await expectAllSent(page)
  const tab = await page.context().newPage()
  await tab.goto('/listings/new')
  await expectWidths(tab, [200, 240])
  await button(page, 'post').click()
  await expect(rowOf(page, 'Bean poles')).toBeVisible()
  await tab.bringToFront()
  await button(tab, 'post').click()
  await expect(rowOf(tab, 'Bean poles')).toHaveCount(2)
  expect((await listingsOf(ann)).map(widthsOf)).toEqual([
    [200, 240],
    [200, 240],
  ])
  await tab.close()
})

test('the edit form shows, orders, adds and removes the photos of a listing', async ({ world }) => {
  const ann = await world.member('ann')
  const { page, actor } = ann
  const { id } = await postWithPhotos(ann, 200, 240, 280)
  await page.goto(`/listings/${id}/edit`)
  await expect(page.getByRole('img', { name: /^Photo \d$/ })).toHaveCount(3)
  await button(page, 'Move photo 3 earlier').click()
  await button(page, 'Remove photo 1').click()
  await addPhotos(page, 320)
  await expect(page.getByRole('img', { name: /^Photo \d$/ })).toHaveCount(3)
  await page.getByText('Describe the photos').click()
  await description(page, 1).fill('Six poles')
  await expect.poll(async () => (await storedPhotos(page)).descriptions).toContain('Six poles')
  await page.reload()
  await expect(page.getByText('Your changes from before are back.')).toBeVisible()
  await page.getByText('Describe the photos').click()
  await expect(description(page, 1)).toHaveValue('Six poles')
  await button(page, 'save').click()
  await expect(page).toHaveURL(`/listings/${id}`)
  const saved = await actor.call(getListing, { params: { id } })
  expect(widthsOf(saved)).toEqual([280, 240, 320])
  expect(saved.images.map(({ alt }) => alt)).toEqual(['Six poles', null, null])

  // A cancelled change leaves no draft.
  await page.goto(`/listings/${id}/edit`)
  await expect(page.getByText('Your changes from before are back.')).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'Six poles' })).toBeVisible()
  await button(page, 'Remove photo 1').click()
  await button(page, 'cancel').click()
  await expect(page).toHaveURL(`/listings/${id}`)
  await page.goto(`/listings/${id}/edit`)
  await expect(page.getByRole('img', { name: 'Six poles' })).toBeVisible()
})
