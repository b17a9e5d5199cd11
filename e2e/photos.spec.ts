import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { uploadImage } from '#contract/images.ts'
import { createListing, getListing, type Listing, listingMessages } from '#contract/listings.ts'
import { photo as smallPhoto } from '#test/pictures.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'
import { listingsOf, rowOf } from './my-listings.ts'
import { brokenPhoto, photo, storedPhotos } from './photos.ts'
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
  await page.goto('/listings/new')
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
  await touchDrag(last, first, async () => undefined)
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

test('photos survive a reload, and old uploads are sent again', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  const uploads: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/images') && uploads.push(request.method()))
  await page.goto('/listings/new')
  await addPhotos(page, 200, 240)
  await expectAllSent(page)
  await description(page, 2).fill('Poles')
  await button(page, 'Move photo 2 earlier').click()
  await expect.poll(() => storedPhotos(page)).toEqual({ descriptions: ['Poles', ''], files: 2 })
  await page.reload()
  await expect(page.getByText('Your changes from before are back.')).toBeVisible()
  await expect(description(page, 1)).toHaveValue('Poles')
  await expect(page.getByRole('img', { name: 'Poles' })).toHaveJSProperty('naturalWidth', 240)
  await expectAllSent(page)
  expect(uploads).toHaveLength(2)

  await page.clock.setFixedTime(Date.now() + 21 * 60 * 60_000)
  await page.reload()
  await expect(description(page, 1)).toHaveValue('Poles')
  await expect.poll(() => uploads.length).toBe(4)
  await page.getByLabel('Item name').fill('Bean poles')
  await page.getByLabel('Type').selectOption('giveaway')
  await button(page, 'post').click()
  await expect(rowOf(page, 'Bean poles')).toBeVisible()
  expect(widthsOf((await listingsOf(ann))[0])).toEqual([240, 200])
})

test('an upload waits for a connection, and the listing for the upload', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('ERR_INTERNET_DISCONNECTED')
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Bean poles')
  await page.getByLabel('Type').selectOption('giveaway')
  await addPhotos(page, 200)
  await expectAllSent(page)
  await page.context().setOffline(true)
  await addPhotos(page, 240)
  await expect(page.getByText('Waiting for a connection')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'post').click()
  await expect(page.getByText('Sending photo 2 of 2...')).toBeVisible()
  await page.context().setOffline(false)
  await expect(rowOf(page, 'Bean poles')).toBeVisible()
  expect(widthsOf((await listingsOf(ann))[0])).toEqual([200, 240])
})

test('a refused photo prevents posting, can be tried again or removed, and the others are kept', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('415')
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('Bean poles')
  await page.getByLabel('Type').selectOption('giveaway')
  await addPhotos(page, 200)
  await page.locator('input[type=file]').setInputFiles(brokenPhoto)
  await expect(page.getByText('Image processing failed.')).toBeVisible()
  await expect(page.getByText('broken.jpg')).toBeVisible()
  await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
  await expectAccessible(page)
  const again = page.waitForResponse((response) => response.url().endsWith('/api/images'))
  await button(page, 'Try again').click()
  expect((await again).status()).toBe(415)
  await expect(button(page, 'Remove photo 2')).toBeFocused()
  await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
  await button(page, 'post').click()
  await expect(page.getByText('Failed to upload image')).toBeVisible()
  await expect(page.getByLabel('Item name')).toHaveValue('Bean poles')
  expect(await listingsOf(ann)).toEqual([])

  await button(page, 'Remove photo 2').click()
  await expect(page.getByText(errorMessages.notAnImage)).toBeHidden()
  await button(page, 'post').click()
  await expect(rowOf(page, 'Bean poles')).toBeVisible()
  expect(widthsOf((await listingsOf(ann))[0])).toEqual([200])
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

test('a listing has at most six photos, a damaged draft of photos is ignored, and a logout deletes the draft', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.goto('/listings/new')

  await test.step('a damaged draft of photos is ignored', async () => {
    await addPhotos(page, 200)
    await expectAllSent(page)
    await expect.poll(async () => (await storedPhotos(page)).descriptions).toHaveLength(1)
    await page.evaluate(async () => {
      const opening = indexedDB.open('photo-drafts')
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const drafts = opening.result.transaction('drafts', 'readwrite').objectStore('drafts')
      const keys = drafts.getAllKeys()
      await new Promise((resolve) => keys.addEventListener('success', resolve))
      for (const key of keys.result) drafts.put([{ key: 'photo', alt: null }], key)
      await new Promise((resolve) => drafts.transaction.addEventListener('complete', resolve))
      opening.result.close()
    })
    await page.reload()
    await addPhotos(page, 240)
    await expectAllSent(page)
    await expectWidths(page, [240])
  })

  await test.step('a listing has at most six photos, and a logout deletes those of the draft', async () => {
    await button(page, 'Remove photo 1').click()
    await expectWidths(page, [])
    await addPhotos(page, 200, 204, 208, 212, 216)
    await addPhotos(page, 220, 224)
    await expect(page.locator('input[type=file]')).toHaveAccessibleDescription(listingMessages.tooManyPhotos)
    await expectWidths(page, [200, 204, 208, 212, 216, 220])
    await button(page, 'Remove photo 6').click()
    await expect(page.getByText(listingMessages.tooManyPhotos)).toHaveCount(0)

    await expectAllSent(page)
    const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    expect(await databases()).toContain('photo-drafts')
    await page.getByRole('link', { name: 'profile', exact: true }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL('/login')
    await expect.poll(databases).not.toContain('photo-drafts')
  })
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
  await description(page, 1).fill('Six poles')
  await expect.poll(async () => (await storedPhotos(page)).descriptions).toContain('Six poles')
  await page.reload()
  await expect(page.getByText('Your changes from before are back.')).toBeVisible()
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
