import type { Page } from '@playwright/test'
import { categories, states, types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { createListing, deleteListing, getListing, type Listing, updateListing } from '#contract/listings.ts'
import { withDatabase } from './database.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'
import { brokenPhoto, captureUploads, photo, uploadedPhoto } from './photos.ts'

const save = (page: Page) => page.getByRole('button', { name: 'save' }).click()
const title = (page: Page) => page.getByLabel('Item name')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

function list({ actor }: Account, listing: Partial<Listing> = {}): Promise<Listing> {
  return actor.call(createListing, {
    body: { title: 'Bean poles', price: 4, category_id: categories.produce, ...listing },
  })
}
const stored = ({ actor }: Account, { id }: Listing) => actor.call(getListing, { params: { id } })

test('a member edits a listing and its photo, reserves it, hides it, shows it again and deletes it', async ({
  world,
}) => {
  // A long test with two browsers.
  test.slow()
  const ann = await world.member('ann')
  const bob = await world.member('bob')
  const { page } = ann
  const beans = await list(ann, { description: 'Hazel, cut in March.' })
  const path = `/listings/${beans.id}`
  await captureUploads(page)
  await page.goto('/my-listings')
  await page.getByRole('link', { name: 'Bean poles' }).click()
  await expect(heading(page, 'Bean poles')).toBeVisible()

  // The form is filled from the query cache before the server answers.
  await page.route(`**/api${path}`, (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  )
  await page.getByRole('link', { name: 'edit' }).click()
  await expect(page).toHaveURL(`${path}/edit`)
  await expect(title(page)).toHaveValue('Bean poles')
  await expect(page.getByLabel('Type')).toHaveValue(String(types.sell))
  await expect(page.getByLabel('Price')).toHaveValue('4')
  await expect(page.getByLabel('Description')).toHaveValue('Hazel, cut in March.')
  await expect(page.getByLabel('Availability')).toHaveValue(String(states.available))
  await expect(page.getByRole('radio', { name: 'produce' })).toBeChecked()
  await expect(page.getByLabel('publish the post to public')).toBeChecked()
  await expect(page.getByLabel('hide it from everyone but me')).not.toBeChecked()
  await expect(page.getByRole('link', { name: 'my listing' })).toHaveAttribute('aria-current', 'page')
  await page.unroute(`**/api${path}`)

  await title(page).fill('Hazel poles, ten')
  await page.getByLabel('Type').selectOption('exchange')
  await expect(page.getByLabel('Price')).toHaveCount(0)
  await page.getByRole('radio', { name: 'plants' }).click()
  await page.getByLabel('Availability').selectOption('reserved')
  await page.locator('input[type=file]').setInputFiles(await photo({ width: 2400, height: 1200, square: 24 }))
  await save(page)

  await expect(page.getByText('Listing saved')).toBeVisible()
  await expect(page).toHaveURL(path)
  await expect(heading(page, 'Hazel poles, ten')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('exchange')
  await expect(page.getByText('reserved', { exact: true })).toBeVisible()
  expect(await uploadedPhoto(page)).toMatchObject({ width: 1920 })
  expect(await stored(ann, beans)).toMatchObject({
    title: 'Hazel poles, ten',
    description: 'Hazel, cut in March.',
    type_id: types.exchange,
    price: 0,
    category_id: categories.plants,
    state_id: states.reserved,
    is_active: true,
    is_public: true,
    featured_image: expect.stringMatching(/^images\//),
  })
  // Saving leaves one history entry of the listing, so Back leads to the lists.
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/my-listings')
  await expect(page.getByRole('listitem').filter({ hasText: 'Hazel poles, ten' })).toContainText('reserved')

  await bob.page.goto(path)
  await expect(bob.page.getByText('reserved', { exact: true })).toBeVisible()
  await expect(bob.page.getByRole('link', { name: 'edit' })).toHaveCount(0)
  await expect(bob.page.getByRole('button', { name: 'delete' })).toHaveCount(0)

  await page.goto(`${path}/edit`)
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await page.getByRole('button', { name: 'remove' }).click()
  await expect(page.getByText('Choose a photo')).toBeVisible()
  await page.getByText('hide it from everyone but me').click()
  await page.getByLabel('Availability').selectOption('gone')
  await save(page)
  await expect(page).toHaveURL(path)
  await expect(page.getByText('hidden', { exact: true })).toBeVisible()
  await expect(page.getByText('gone', { exact: true })).toBeVisible()
  expect(await stored(ann, beans)).toMatchObject({ is_active: false, image: null, state_id: states.gone })

  await page.getByRole('link', { name: 'edit' }).click()
  await page.getByText('hide it from everyone but me').click()
  await save(page)
  await expect(page).toHaveURL(path)
  await expect(page.getByText('hidden', { exact: true })).toHaveCount(0)
  expect(await stored(bob, beans)).toMatchObject({ state_id: states.gone })

  await page.getByRole('button', { name: 'delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'delete this listing?' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'delete' })).toBeFocused()
  await page.getByRole('button', { name: 'delete' }).click()
  await dialog.getByRole('button', { name: 'delete' }).click()
  await expect(page.getByText('Listing deleted')).toBeVisible()
  await expect(page).toHaveURL('/my-listings')
  await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()
})

test('an edit that is invalid or fails keeps the typed values', async ({ world }) => {
  test.slow()
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('500', 'ERR_FAILED', '415')
  const beans = await list(ann, { type_id: types.giveaway, price: 0 })
  const path = `/listings/${beans.id}`
  await page.goto(`${path}/edit`)

  await title(page).fill('  ')
  await page.getByLabel('Type').selectOption('sell')
  await save(page)
  await expect(title(page)).toHaveAccessibleDescription('Title is required')
  await expect(title(page)).toBeFocused()
  await expect(page.getByLabel('Price')).toHaveAccessibleDescription(
    'Price must be greater than 0 for sell listings',
  )
  await title(page).fill('Po')
  await expect(title(page)).not.toHaveAttribute('aria-invalid')
  await title(page).fill(' Poles ')
  await page.getByLabel('Price').fill('0.5')
  await page.getByRole('button', { name: 'Description (optional)' }).click()
  await page.getByLabel('Description').fill('Ten of them.')

  const failure = page.getByText('Failed to update listing. Please try again.', { exact: true })
  await page.route(`**/api${path}`, (route) => route.fulfill({ status: 500, json: { detail: 'No' } }))
  await save(page)
  await expect(failure).toBeInViewport()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failure).toBeHidden()
  await page.unroute(`**/api${path}`)
  await page.route(`**/api${path}`, (route) => route.abort())
  await save(page)
  await expect(failure).toBeVisible()
  await page.unroute(`**/api${path}`)

  await page.locator('input[type=file]').setInputFiles(brokenPhoto)
  await save(page)
  await expect(page.getByText(errorMessages.notAnImage)).toBeVisible()
  await expect(page.getByLabel('Price')).toHaveValue('0.5')
  await page.getByRole('button', { name: 'remove' }).click()
  await save(page)
  await expect(page).toHaveURL(path)
  expect(await stored(ann, beans)).toMatchObject({ title: 'Poles', price: 0.5, description: 'Ten of them.' })

  // A failure is shown on the current screen.
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  await page.route(`**/api${path}`, (route) => failing.then(() => route.abort()), { times: 1 })
  await page.getByRole('link', { name: 'edit' }).click()
  await expect(page.getByLabel('Price')).toHaveValue('0.50')
  await expect(page.getByText('Your changes from before are back.')).toHaveCount(0)
  await title(page).fill('Poles, ten')
  await save(page)
  await page.getByRole('link', { name: 'my listing' }).click()
  await expect(heading(page, 'my lists')).toBeVisible()
  fail()
  await expect(page.getByText('“Poles” was not saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(title(page)).toHaveValue('Poles, ten')
  await save(page)
  await expect(heading(page, 'Poles, ten')).toBeVisible()
  await expect(page.getByText('was not saved.')).toHaveCount(0)
})

test('an edit saves only the changed fields, and its draft can be discarded or saved', async ({ world }) => {
  const ann = await world.member('ann')
  const { page, actor } = ann
  const beans = await list(ann)
  const path = `/listings/${beans.id}`
  await page.goto(path)
  await page.getByRole('link', { name: 'edit' }).click()
  await title(page).fill('Poles from the browser')
  await actor.call(updateListing, {
    params: { id: beans.id },
    body: { description: 'From elsewhere', price: 9 },
  })
  await save(page)
  await expect(page).toHaveURL(path)
  expect(await stored(ann, beans)).toMatchObject({
    title: 'Poles from the browser',
    description: 'From elsewhere',
    price: 9,
  })

  // The history state may be outdated after a reload: the fields then show the server's data.
  await page.getByRole('link', { name: 'edit' }).click()
  await expect(title(page)).toHaveValue('Poles from the browser')
  await actor.call(updateListing, { params: { id: beans.id }, body: { title: 'Poles again' } })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**/api${path}`, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(title(page)).toHaveValue('Poles from the browser')
  release()
  await expect(title(page)).toHaveValue('Poles again')
  await page.unroute(`**/api${path}`)

  await page.getByLabel('Price').fill('100')
  await page.getByRole('button', { name: 'cancel' }).click()
  await expect(page).toHaveURL(path)
  expect(await stored(ann, beans)).toMatchObject({ price: 9 })

  // Unsaved changes are restored unless they were discarded.
  const restoredNotice = page.getByText('Your changes from before are back.')
  await page.getByRole('link', { name: 'edit' }).click()
  await expect(page.getByLabel('Price')).toHaveValue('9')
  await expect(restoredNotice).toHaveCount(0)
  await page.getByLabel('Type').selectOption('exchange')
  await title(page).fill('Poles, perhaps')
  await page.getByText('publish the post to public').click()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(path)
  await page.goto(`${path}/edit`)
  await expect(restoredNotice).toBeVisible()
  await expect(title(page)).toHaveValue('Poles, perhaps')
  await expect(page.getByLabel('Type')).toHaveValue(String(types.exchange))
  await expect(page.getByLabel('Price')).toHaveCount(0)
  await page.getByRole('button', { name: 'discard' }).click()
  await expect(restoredNotice).toHaveCount(0)
  await expect(title(page)).toHaveValue('Poles again')
  await expect(page.getByLabel('Price')).toHaveValue('9')
  await expect(page.getByLabel('publish the post to public')).toBeChecked()

  // A restored draft can be saved, and is then gone.
  await title(page).fill('Poles, ten')
  await page.reload()
  await expect(restoredNotice).toBeVisible()
  await save(page)
  await expect(heading(page, 'Poles, ten')).toBeVisible()
  expect(await stored(ann, beans)).toMatchObject({ title: 'Poles, ten', price: 9, type_id: types.sell })
  await page.goto(`${path}/edit`)
  await expect(title(page)).toHaveValue('Poles, ten')
  await expect(restoredNotice).toHaveCount(0)
})

test('only the owner can open the edit screen', async ({ world }) => {
  const ann = await world.member('ann')
  const bob = await world.member('bob')
  const beans = await list(ann)
  await bob.page.goto(`/listings/${beans.id}/edit`)
  await expect(bob.page).toHaveURL(`/listings/${beans.id}`)
  await expect(heading(bob.page, 'Bean poles')).toBeVisible()

  bob.allowErrors('404')
  const secret = await list(ann, { is_public: false })
  for (const id of [secret.id, 'none']) {
    await bob.page.goto(`/listings/${id}/edit`)
    await expect(bob.page).toHaveURL('/not-found')
  }

  // The owner of a deleted listing gets 404, even with the listing in the history state.
  ann.allowErrors('404')
  await ann.page.goto(`/listings/${secret.id}`)
  await ann.page.getByRole('link', { name: 'edit' }).click()
  await expect(title(ann.page)).toHaveValue('Bean poles')
  await ann.actor.call(deleteListing, { params: { id: secret.id } })
  await ann.page.reload()
  await expect(ann.page).toHaveURL('/not-found')
})

test('a failed deletion shows the reason until it is dismissed', async ({ world }) => {
  const ann = await world.member('ann')
  const { page, actor } = ann
  ann.allowErrors('403', '404', '500', 'ERR_FAILED')
  const beans = await list(ann)
  const api = `**/api/listings/${beans.id}`
  await page.goto('/my-listings')
  await page.getByRole('link', { name: 'Bean poles', exact: true }).click()
  await expect(heading(page, 'Bean poles')).toBeVisible()
  const tryToDelete = async () => {
    await page.getByRole('button', { name: 'delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'delete' }).click()
  }
  const alert = page.getByRole('alert')
  for (const [response, sentence] of [
    [{ status: 403, json: { detail: 'Not while it is reported' } }, 'Not while it is reported'],
    [{ status: 403 }, 'You do not have permission to delete this listing'],
    [{ status: 500, json: { detail: 'No' } }, 'Failed to delete the listing. Please try again later.'],
  ] as const) {
    await page.route(api, (route) => route.fulfill(response))
    await tryToDelete()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(alert).toHaveText(sentence)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toHaveCount(0)
    await page.unroute(api)
  }
  await page.route(api, (route) => route.abort())
  await tryToDelete()
  await expect(alert).toHaveText('Failed to delete the listing. Please try again later.')
  await expectAccessible(page)
  await page.unroute(api)

  // The dialog stays open while the call runs.
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  const dialog = page.getByRole('dialog')
  await page.route(api, (route) => failing.then(() => route.abort()), { times: 1 })
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await tryToDelete()
  await expect(dialog.getByText('Deleting...')).toBeVisible()
  for (const name of ['cancel', 'Close'])
    await expect(dialog.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  for (const _ of ['first', 'second']) {
    await page.goBack()
    await expect(dialog.getByText('Deleting...')).toBeVisible()
    await expect.poll(() => page.evaluate(() => 'dialog' in history.state)).toBe(true)
  }
  // A failure is shown on the current screen.
  await page.evaluate(() => history.go(-2))
  await expect(heading(page, 'my lists')).toBeVisible()
  fail()
  await expect(page.getByText('“Bean poles” was not deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('link', { name: 'Bean poles', exact: true }).click()

  await actor.call(deleteListing, { params: { id: beans.id } })
  await tryToDelete()
  await expect(alert).toHaveText('Listing not found')
})

test('a listing shows when it was posted; its card does after a day', async ({ world }) => {
  const ann = await world.account('ann')
  const bob = await world.member('bob')
  const beans = await list(ann)
  const card = bob.page.getByRole('link', { name: 'Bean poles' })
  await bob.page.goto(`/seller/${ann.actor.id}`)
  await expect(card).toBeVisible()
  await expect(card.getByRole('time')).toHaveCount(0)
  await bob.page.goto(`/listings/${beans.id}`)
  await expect(bob.page.getByText('Posted today')).toBeVisible()
  await withDatabase((client) =>
    client.query("update listings set created_at = created_at - interval '3 days' where id = $1", [beans.id]),
  )
  await bob.page.reload()
  await expect(bob.page.getByText('Posted 3 days ago')).toBeVisible()
  await bob.page.goto(`/seller/${ann.actor.id}`)
  await expect(card).toContainText('3 days ago')
})
