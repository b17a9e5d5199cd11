import { categories, types } from '#contract/constants.ts'
import { actOnListings, listDeskListings } from '#contract/desk-listings.ts'
import { createListing, deleteListing, getListing } from '#contract/listings.ts'
import { type Account, expect, expectAccessible, navigate, phone, test, type World } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { photo } from './photos.ts'
import { makeModerator } from './sample-data.ts'
import { expectClosed } from './screens.ts'

/** Creates a moderator with a browser and a member with two listings, the first with a photo. */
async function createListings(world: World) {
  const [ann, maud] = await Promise.all([world.member('ann'), world.member('maud')])
  await makeModerator(maud)
  const name = crypto.randomUUID()
  const { buffer, mimeType } = await photo({ width: 400, height: 300 })
  const file = new File([new Uint8Array(buffer)], 'photo.jpg', { type: mimeType })
  const post = (title: string, withPhoto: boolean) =>
    ann.actor.call(createListing, {
      body: { title, type_id: types.giveaway, category_id: categories.produce },
      ...(withPhoto && { file }),
    })
  const pot = await post(`Pot ${name}`, true)
  const vase = await post(`Vase ${name}`, false)
  return { ann, maud, pot, vase }
}

const statusOf = async (id: number, { actor }: Account) =>
  (await actor.try(getListing, { params: { id } })).status

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('a moderator hides two listings at once and shows one again, by keyboard', async ({ world }) => {
      const { ann, maud, pot, vase } = await createListings(world)
      const cat = await world.account('cat')
      const { page } = maud
      const keys = new Keyboard(page)
      const rowOf = ({ title }: { title: string }) => page.getByRole('article').filter({ hasText: title })
      const dialog = page.getByRole('dialog')
      await page.goto('/desk')
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await keys.activate(page.getByRole('link', { name: 'Listings', exact: true }))
      await expect(page).toHaveTitle('Listings · Rhubarb')
      await expect(rowOf(pot).getByRole('img')).toHaveJSProperty('complete', true)
      await expect(rowOf(pot).getByRole('img')).not.toHaveJSProperty('naturalWidth', 0)
      await expectAccessible(page)

      for (const listing of [vase, pot]) {
        await keys.tabTo(page.getByRole('checkbox', { name: listing.title }))
        await keys.press('Space')
      }
      await keys.activate(rowOf(pot).getByRole('button', { name: 'decide on 2 listings' }))
      await expect(dialog.getByLabel('Action')).toHaveValue('hide')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Please say why')
      await expectAccessible(page, 'the dialog to decide')
      await page.keyboard.insertText('Nothing that grows')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await expect(page.getByText('2 listings changed.')).toBeVisible()
      for (const { id, title } of [pot, vase]) {
        await expect(rowOf({ title })).toContainText('hidden')
        expect(await statusOf(id, cat)).toBe(404)
      }
      await ann.page.goto('/notifications')
      const told = ann.page.getByRole('listitem').filter({ hasText: 'listings are hidden' })
      await expect(told).toHaveCount(1)
      for (const { title } of [pot, vase]) await expect(told).toContainText(title)

      await page.getByLabel('Listings', { exact: true }).selectOption('hidden ones')
      await expect(page).toHaveURL(({ searchParams }) => searchParams.get('hidden') === 'true')
      await expect(rowOf(pot).getByRole('img')).not.toHaveJSProperty('naturalWidth', 0)
      await keys.activate(rowOf(pot).getByRole('button', { name: 'decide' }))
      await expect(dialog.getByLabel('Action')).toHaveValue('show')
      await keys.fill(dialog.getByLabel('Reason'), 'It is planted')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await expect(rowOf(pot)).toHaveCount(0)
      expect(await statusOf(pot.id, cat)).toBe(200)

      await page.getByLabel('Listings', { exact: true }).selectOption('all listings')
      // Other tests may have added more listings above than have tab stops in reach.
      await rowOf(pot).getByRole('link', { name: 'what was done before' }).press('Enter')
      const shown = page.getByRole('listitem').filter({ hasText: `Listing shown: ${pot.title}` })
      await keys.activate(shown.getByRole('button', { name: 'undo' }))
      await keys.fill(dialog.getByLabel('Reason'), 'It has no roots')
      await keys.activate(dialog.getByRole('button', { name: 'undo' }))
      await expectClosed(page)
      await expect(shown).toContainText('undone')
      expect(await statusOf(pot.id, cat)).toBe(404)
    })
  })

test('a moderator corrects a category, of which the owner reads, and undoes it', async ({ world }) => {
  const { ann, maud, vase } = await createListings(world)
  const { page } = maud
  const row = page.getByRole('article').filter({ hasText: vase.title })
  const dialog = page.getByRole('dialog')
  await page.goto('/desk/listings')
  await row.getByRole('button', { name: 'decide' }).click()
  await dialog.getByLabel('Action').selectOption('Correct the category')
  await dialog.getByLabel('Category').selectOption('plants')
  await dialog.getByLabel('Reason').fill('It has roots')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'save' }).click()
  await expectClosed(page)
  await expect(row).toContainText('plants')
  await ann.page.goto('/notifications')
  await expect(ann.page.getByRole('main')).toContainText(`The category of your listing “${vase.title}”`)
  await expect(ann.page.getByRole('main')).toContainText(`${vase.title}: plants instead of produce`)
  await expect(ann.page.getByRole('main')).toContainText('It has roots')

  await row.getByRole('link', { name: 'what was done before' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: `Category corrected: ${vase.title}` })
  await entry.getByRole('button', { name: 'undo' }).click()
  await dialog.getByLabel('Reason').fill('It has none')
  await dialog.getByRole('button', { name: 'undo' }).click()
  await expectClosed(page)
  await expect(entry.filter({ hasText: 'undone' })).toHaveCount(1)
  const { category_id } = await ann.actor.call(getListing, { params: { id: vase.id } })
  expect(category_id).toBe(categories.produce)
})

test('a moderator reads that another was faster, and that a listing is deleted', async ({ world }) => {
  const { ann, maud, pot, vase } = await createListings(world)
  const { page, allowErrors } = maud
  allowErrors('status of 409')
  const rowOf = ({ title }: { title: string }) => page.getByRole('article').filter({ hasText: title })
  const dialog = page.getByRole('dialog')
  await page.goto('/desk/listings')
  await rowOf(vase).getByRole('button', { name: 'decide' }).click()
  await maud.actor.call(actOnListings, {
    body: { ids: [vase.id], action: 'hide', rule: 'other', reason: 'Faster' },
  })
  await dialog.getByLabel('Reason').fill('Slower')
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This was done already')
  await dialog.getByRole('button', { name: 'cancel' }).click()
  await expectClosed(page)
  await expect(rowOf(vase)).toContainText('hidden')

  const { id, title } = await ann.actor.call(createListing, {
    body: { title: `Chair ${crypto.randomUUID()}`, type_id: types.giveaway },
  })
  await page.reload()
  for (const listing of [{ title }, pot]) await page.getByText(listing.title, { exact: true }).click()
  await rowOf(pot).getByRole('button', { name: 'decide on 2 listings' }).click()
  await ann.actor.call(deleteListing, { params: { id } })
  await dialog.getByLabel('Reason').fill('No plants')
  await dialog.getByRole('button', { name: 'save' }).click()
  await expect(page.getByText('1 listing changed. 1 was so already or is deleted.')).toBeVisible()
  await expect(rowOf({ title })).toHaveCount(0)
  const listed = await maud.actor.call(listDeskListings, { query: { hidden: 'true' } })
  expect(listed.map((listing) => listing.id)).toContain(pot.id)
})

test('the listings of the desk are Page Not Found for members without a role', async ({ world }) => {
  const { page, allowErrors } = await world.member('ann')
  allowErrors(/status of 404.*\/desk/)
  await page.goto('/profile')
  await navigate(page, '/desk/listings')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
