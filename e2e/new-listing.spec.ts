import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { categories, image, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { createWant } from '#contract/wants.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { listingsOf, rowOf } from './my-listings.ts'
import { captureUploads, photo, rotatedPhoto, uploadedPhoto } from './photos.ts'

const post = (page: Page) => page.getByRole('button', { name: 'post' }).click()
const category = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const fileField = (page: Page) => page.locator('input[type=file]')

test.describe('a new listing', () => {
  test('is for sale, public and produce by default', async ({ world }) => {
    const ann = await world.member('ann')
    const { page } = ann
    await page.goto('/my-listings')
    await page.getByRole('link', { name: 'New listing' }).first().click()

    await expect(page).toHaveURL('/listings/new')
    await expect(page.getByRole('heading', { name: 'new listing' })).toBeVisible()
    await expect(page.getByLabel('Type')).toHaveValue(String(types.sell))
    await expect(page.getByLabel('publish the post to public')).toBeChecked()
    await expect(category(page, 'produce')).toBeChecked()

    await page.getByLabel('Item name').fill('  Cherokee Purple tomatoes ')
    await page.getByLabel('Price').fill('4.50')
    await page.getByRole('button', { name: 'Description (optional)' }).click()
    await page.getByLabel('Description').fill('Grown without sprays.')
    await expect(page.getByText('21/1000')).toBeVisible()
    await post(page)

    await expect(page.getByText('Listing posted')).toBeVisible()
    await expect(page).toHaveURL('/my-listings')
    await expect(rowOf(page, 'Cherokee Purple tomatoes')).toContainText('$4.50')
    await page.goBack()
    await expect(page.getByLabel('Item name')).toHaveValue('')
    await expect(page.getByLabel('Price')).toHaveValue('')
    expect(await listingsOf(ann)).toMatchObject([
      {
        title: 'Cherokee Purple tomatoes',
        description: 'Grown without sprays.',
        price: 4.5,
        type_id: types.sell,
        category_id: categories.produce,
        is_public: true,
        is_active: true,
        state_id: 1,
      },
    ])
  })

  test('may be ready later, which its page says', async ({ world }) => {
    const { page } = await world.member('ann')
    const year = new Date().getFullYear() + 1
    await page.goto('/listings/new')
    await page.getByLabel('Item name').fill('Pears, still green')
    await page.getByLabel('Type').selectOption('giveaway')
    await page.getByLabel('Ready from').fill(`${year}-06-12`)
    await post(page)
    await expect(page).toHaveURL('/my-listings')
    await rowOf(page, 'Pears, still green').getByRole('link').first().click()
    await expect(page.getByRole('main').getByText(`Ready from June 12, ${year}`)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'edit' }).click()
    await expect(page.getByLabel('Ready from')).toHaveValue(`${year}-06-12`)
    await page.getByLabel('Ready from').fill('')
    await page.getByRole('button', { name: 'save' }).click()
    await expect(page).toHaveURL(/listings\/\d+$/)
    await expect(page.getByRole('heading', { name: 'Pears, still green' })).toBeVisible()
    await expect(page.getByText('Ready from')).toHaveCount(0)
  })

  test('says how many gardeners near were told of it, then suggests wants', async ({ world }) => {
    const [ann, bob, cat] = [await world.member('ann'), await world.member('bob'), await world.member('cat')]
    for (const { actor } of [ann, bob, cat]) {
      await actor.call(updateProfile, { body: { zip_code: '59901' } })
    }
    for (const { actor } of [bob, cat]) await actor.call(createWant, { body: { title: 'sextants' } })
    const { page } = ann
    await page.goto('/listings/new')
    await page.getByLabel('Item name').fill('Brass sextant')
    await page.getByLabel('Type').selectOption('giveaway')
    await post(page)

    await expect(page).toHaveURL('/my-listings')
    const after = page.getByRole('region', { name: 'Your new listing' })
    await expect(after.getByText('2 gardeners near you want this. We told them.')).toBeVisible()
    await expect(after).not.toContainText(bob.username)
    await expectAccessible(page)
    const [example] = await after
      .getByRole('link')
      .allTextContents()
      .then((texts) => texts.slice(1))
    await after.getByRole('link', { name: example ?? '' }).click()
    await expect(page).toHaveURL(/post-want/)
    await expect(page.getByRole('combobox', { name: `Category of ${example}` })).toBeVisible()
    await page.goto('/my-listings')
    await expect(rowOf(page, 'Brass sextant')).toBeVisible()
    await expect(after).toBeHidden()
  })

  test('says that the same is listed already, and is folded on the market if it is posted again', async ({
    world,
  }) => {
    const [ann, bob] = [await world.member('ann'), await world.member('bob')]
    const { page } = ann
    const title = `Cherokee Purple tomatoes of ${ann.username}`
    const first = await ann.actor.call(createListing, {
      body: { title, type_id: types.giveaway, category_id: categories.produce },
    })
    await page.goto('/listings/new')
    await page.getByLabel('Item name').fill(title.toUpperCase())
    await page.getByLabel('Price').fill('4')
    const hint = page.getByText('You have listed this already')
    await expect(page.getByText('At least 3 characters')).toBeVisible()
    await page.getByLabel('Type').selectOption('giveaway')
    await expect(hint.getByRole('link', { name: title })).toHaveAttribute('href', `/listings/${first.id}`)
    await page.getByLabel('Item name').fill('Sungold tomatoes')
    await expect(hint).toBeHidden()
    await page.getByLabel('Item name').fill(title)
    await expect(hint).toBeVisible()
    await expectAccessible(page)
    await post(page)
    await expect(page.getByText('Listing posted')).toBeVisible()
    expect(await listingsOf(ann)).toHaveLength(2)

    await bob.page.goto('/listings')
    const cards = bob.page.getByRole('link', { name: title })
    await expect(cards).toHaveCount(1)
    await expect(cards).toContainText('and 1 more like this')
  })

  test('keeps its values when the server fails, and can be posted again from another screen', async ({
    world,
  }) => {
    const ann = await world.member('ann')
    const { page } = ann
    ann.allowErrors('500', 'ERR_FAILED')
    await page.goto('/listings/new')
    await page.getByLabel('Item name').fill('Sungold tomatoes')
    await page.getByLabel('Price').fill('3')
    await fileField(page).setInputFiles(await photo({ width: 800, height: 600 }))

    await page.route('**/api/listings', (route) => route.abort())
    await post(page)
    const failure = page.getByText('Failed to create listing. Please try again later.')
    await expect(failure).toBeVisible()

    await page.route('**/api/listings', (route) => route.fulfill({ status: 500, json: { detail: 'No' } }))
    await post(page)
    await expect(page.getByRole('button', { name: 'post' })).toBeEnabled()
    await expect(failure).toBeInViewport()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(failure).toBeHidden()

    // The server posts the listing, but the response is lost.
    await page.unroute('**/api/listings')
    await page.route(
      '**/api/listings',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await post(page)
    await expect(failure).toBeVisible()
    await expect(page.getByLabel('Item name')).toHaveValue('Sungold tomatoes')
    await post(page)
    await expect(rowOf(page, 'Sungold tomatoes')).toBeVisible()
    expect(await listingsOf(ann)).toMatchObject([{ images: [{ width: 800 }] }])

    // A failure is shown on the current screen, and the draft of the next listing is kept.
    const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
    await page.getByRole('link', { name: 'New listing' }).first().click()
    await page.getByLabel('Item name').fill('Sent from the gate')
    await page.getByLabel('Price').fill('2')
    await fileField(page).setInputFiles(await photo({ width: 800, height: 600 }))
    await page.route('**/api/listings', (route) => failing.then(() => route.abort()), { times: 1 })
    await post(page)
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('link', { name: 'New listing' }).first().click()
    await expect(page.getByLabel('Item name')).toHaveValue('')
    await page.getByLabel('Item name').fill('The next one')
    fail()
    await expect(page.getByText('“Sent from the gate” was not posted.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Listing posted')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Item name')).toHaveValue('The next one')
    const sent = (await listingsOf(ann)).filter(({ title }) => title === 'Sent from the gate')
    expect(sent).toMatchObject([{ price: 2, image: { width: 800 } }])
  })
})

test.describe('a photo', () => {
  test('of more than 3 MB is resized to 1920 pixels and at most 3 MB before the upload', async ({
    world,
  }, info) => {
    const ann = await world.member('ann')
    const { page } = ann
    await captureUploads(page)
    await page.goto('/listings/new')
    const original = await photo({ width: 2400, height: 1800, square: 2 })
    expect(original.buffer.length).toBeGreaterThan(image.prepared.maxBytes)
    // The browser reads a file faster than Playwright sends its content.
    const file = info.outputPath(original.name)
    await writeFile(file, original.buffer)
    await fileField(page).setInputFiles(file)
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await page.getByLabel('Item name').fill('Sugar Pie pumpkin')
    await page.getByLabel('Type').selectOption('giveaway')
    await post(page)

    await expect(rowOf(page, 'Sugar Pie pumpkin').getByRole('presentation')).toBeVisible()
    const sent = await uploadedPhoto(page)
    expect(sent).toMatchObject({ width: 1920, height: 1440, type: 'image/jpeg' })
    expect(sent?.bytes).toBeLessThanOrEqual(image.prepared.maxBytes)
    expect(await listingsOf(ann)).toMatchObject([{ featured_image: expect.stringMatching(/^images\//) }])
  })

  test('with an EXIF orientation is sent upright', async ({ world }) => {
    const { page } = await world.member('ann')
    await captureUploads(page)
    await page.goto('/listings/new')
    await fileField(page).setInputFiles(await rotatedPhoto())
    await page.getByLabel('Item name').fill('Garlic')
    await page.getByLabel('Type').selectOption('exchange')
    await post(page)
    await expect(page).toHaveURL('/my-listings')

    const sent = await uploadedPhoto(page)
    const isRed = ([red = 0, , blue = 0]: number[] = []) => red > 200 && blue < 60
    expect([isRed(sent?.upper), isRed(sent?.lower)]).toEqual([true, false])
  })

  test('that can not be compressed below 3 MB is sent unchanged, with a warning', async ({ world }) => {
    const { page } = await world.member('ann')
    await captureUploads(page)
    // No real photo stays that large, so this browser has no workers and a canvas that does not compress.
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'Worker')
      HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob([new Uint8Array(3 * 1024 * 1024 + 1)]))
    })
    const original = await photo({ width: 1000, height: 800 })
    await page.goto('/listings/new')
    await fileField(page).setInputFiles(original)
    await expect(page.getByText("Couldn't compress below 3 MB; please choose a smaller image.")).toBeVisible()
    await expectAccessible(page)

    await page.getByLabel('Item name').fill('Garlic')
    await page.getByLabel('Type').selectOption('exchange')
    await post(page)
    await expect(page).toHaveURL('/my-listings')
    expect(await uploadedPhoto(page)).toMatchObject({ bytes: original.buffer.length, width: 1000 })
  })
})
