import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { categories, limits, states, types } from '#contract/constants.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { uploadImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, guessCategory, listingMessages } from '#contract/listings.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { picture } from '#web/testing/picture.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { quinces } from '#web/testing/stored.ts'
import type { ListingValues } from './listing-values.ts'
import { NewListingForm } from './new-listing-form.tsx'

const title = () => page.getByRole('textbox', { name: 'Item name' })
const price = () => page.getByLabelText('Price')
const quantity = () => page.getByLabelText(/^How many/)
const days = () => page.getByLabelText(/^Days listed/)
const type = () => page.getByLabelText('Type')
const description = () => page.getByRole('textbox', { name: /^Description/ })
const openDescription = () => userEvent.click(page.getByRole('button', { name: /^Description/ }))
const rings = () => page.getByRole('checkbox', { name: /open to rings/ })
const post = () => userEvent.click(page.getByRole('button', { name: 'post' }))
const restoredNotice = () => page.getByText('Your changes from before are back.', { exact: false })

const visibility = () => page.getByRole('checkbox', { name: 'publish the post to public' })

async function openForm() {
  const shown = await renderInApp(<NewListingForm />)
  shown.api.on(listListings, () => [])
  return {
    ...shown,
    async reopen() {
      await shown.show(null)
      await expect.element(title()).not.toBeInTheDocument()
      await shown.show(<NewListingForm />)
    },
  }
}

async function fill(typed: string, listingType = 'giveaway') {
  await userEvent.fill(title(), typed)
  await userEvent.selectOptions(type(), listingType)
}

function refusal(...fields: string[]) {
  const errors = fields.map((field) => ({ field, message: `No ${field}` }))
  return new Refusal(422, { detail: 'Please correct it', errors })
}

/** The values of the form. A field of the contract that is left out does not compile. */
const values = {
  title: '',
  description: '',
  price: '',
  type_id: types.sell,
  category_id: null,
  state_id: states.available,
  is_active: true,
  is_public: true,
  quantity: '',
  unit: null,
  ready_from: null,
  days: '',
} as const
// @ts-expect-error: open_to_rings is left out.
values satisfies ListingValues

test('the errors of the server are at their fields, also at a checkbox, and the first has the focus', async () => {
  const { api } = await openForm()
  await fill('Quinces')
  api.on(createListing, () => refusal('open_to_rings', 'description'))
  await post()

  await expect.element(rings()).toHaveAccessibleDescription('No open_to_rings')
  await expect.element(description()).toHaveAccessibleDescription(/No description/)
  await expect.element(rings()).toHaveFocus()
  await expect.element(page.getByText('Please correct it')).not.toBeInTheDocument()
})

test('an error of a field that the form does not show is in its banner', async () => {
  const { api } = await openForm()
  await fill('Quinces', 'exchange')
  api.on(createListing, () => refusal('open_to_rings'))
  await post()

  await expect.element(page.getByText('Please correct it')).toBeVisible()
})

test('an error of the photos is at their field', async () => {
  const { api } = await openForm()
  await fill('Quinces')
  api.on(createListing, () => refusal('image_ids'))
  await post()

  await expect.element(page.getByLabelText(/^Photos/)).toHaveAccessibleDescription('No image_ids')
  await expect.element(page.getByLabelText(/^Photos/)).toHaveFocus()
})

test('invalid fields are explained until they are corrected, before anything is sent', async () => {
  const { api } = await openForm()
  const calls = api.on(createListing, () => quinces)
  await userEvent.fill(title(), ' ab ')
  await openDescription()
  await expect.element(description()).toHaveFocus()
  await userEvent.fill(description(), 'x'.repeat(limits.description + 1))
  await expect.element(description()).toHaveAttribute('aria-invalid', 'true')
  await post()
  await expect.element(title()).toHaveAccessibleDescription('Title must be at least 3 characters long')
  await expect.element(title()).toHaveFocus()
  await expect.element(price()).toHaveAccessibleDescription(listingMessages.priceNeeded)
  await expect.element(page.getByText('1001/1000')).toBeVisible()
  expect(calls).toEqual([])

  await userEvent.fill(title(), 'abc')
  await userEvent.fill(price(), '0.5')
  await userEvent.fill(description(), 'x'.repeat(limits.description))
  await expect.poll(() => document.querySelectorAll('[aria-invalid=true]').length).toBe(0)
  await post()
  await expect.poll(() => calls.map(({ body }) => body)).toMatchObject([{ title: 'abc', price: 0.5 }])
})

test.each([
  ['3,50', 3.5],
  ['1,250', 1250],
  ['\u200e\uff17,\uff15\u200b', 7.5],
])('a price typed as "%s" is sent as %d', async (typed, sent) => {
  const { api } = await openForm()
  const calls = api.on(createListing, () => quinces)
  await fill('Quinces', 'sell')
  await userEvent.type(price(), typed)
  await post()

  await expect.poll(() => calls.map(({ body }) => body)).toMatchObject([{ price: sent }])
})

test('the arrow keys step a price up and down, to its minimum', async () => {
  await openForm()
  await userEvent.type(price(), '3,50{ArrowUp}')
  await expect.element(price()).toHaveValue('4')
  await userEvent.type(price(), '{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(price()).toHaveValue('1')
})

test('malformed numbers are explained, and stay when the form opens again', async () => {
  const { api, reopen } = await openForm()
  const calls = api.on(createListing, () => quinces)
  await fill('Quinces', 'sell')
  await userEvent.fill(price(), '4 dollars')
  await userEvent.fill(quantity(), 'two')
  await userEvent.fill(days(), 'many')
  await post()
  await expect
    .element(price())
    .toHaveAccessibleDescription('Price must be an amount with at most two decimals')
  await expect.element(quantity()).toHaveAccessibleDescription(listingMessages.quantityOutside)
  await expect.element(days()).toHaveAccessibleDescription(listingMessages.daysOutside)
  expect(calls).toEqual([])
  await reopen()

  await expect.element(price()).toHaveValue('4 dollars')
  await expect.element(quantity()).toHaveValue('two')
  await expect.element(days()).toHaveValue('many')
})

test('only a sale has a price, which comes back with it', async () => {
  const { api } = await openForm()
  const calls = api.on(createListing, () => quinces)
  await fill('Quinces', 'sell')
  await userEvent.fill(price(), '12.5')
  for (const other of ['exchange', 'giveaway']) {
    await userEvent.selectOptions(type(), other)
    await expect.element(price()).not.toBeInTheDocument()
  }
  await userEvent.selectOptions(type(), 'sell')
  await expect.element(price()).toHaveValue('12.5')
  await userEvent.selectOptions(type(), 'exchange')
  await userEvent.click(page.getByRole('radio', { name: 'uncategorized' }))
  await userEvent.click(page.getByText('publish the post to public'))
  await post()

  await expect
    .poll(() => calls.map(({ body }) => body))
    .toMatchObject([{ type_id: types.exchange, price: 0, category_id: null, is_public: false }])
})

test('the listing waits for its photos, and is not posted without one that is refused', async () => {
  const { api } = await openForm()
  const calls = api.on(createListing, () => quinces)
  const uploading = Promise.withResolvers<void>()
  api.on(uploadImage, () =>
    uploading.promise.then(() => new Refusal(415, { detail: errorMessages.notAnImage })),
  )
  await fill('Quinces')
  await userEvent.upload(page.getByLabelText(/^Photos/), await picture('1.png'))
  await post()
  await expect.element(page.getByText('Sending photo 1 of 1...')).toBeVisible()
  uploading.resolve()
  await expect.element(page.getByText('Failed to upload image')).toBeVisible()
  await expect.element(page.getByText(errorMessages.notAnImage)).toBeVisible()
  expect(calls).toEqual([])

  await userEvent.click(page.getByRole('button', { name: 'Remove photo 1' }))
  await post()
  await expect.poll(() => calls.length).toBe(1)
})

test('what was typed stays after a failure, and is there when the form opens again', async () => {
  const { api, reopen } = await openForm()
  await fill('Quinces')
  await openDescription()
  await userEvent.fill(description(), 'Two crates')
  await userEvent.click(page.getByText('open to rings'))
  await userEvent.click(page.getByRole('radio', { name: 'uncategorized' }))
  api.on(createListing, () => new Refusal(500, { detail: 'No' }))
  await post()
  await expect.element(page.getByText('Failed to create listing. Please try again later.')).toBeVisible()
  await expect.element(title()).toHaveValue('Quinces')
  await reopen()

  await expect.element(restoredNotice()).toBeVisible()
  await expect.element(title()).toHaveValue('Quinces')
  await expect.element(type()).toHaveValue(String(types.giveaway))
  await expect.element(description()).toHaveValue('Two crates')
  await expect.element(rings()).toBeChecked()
  await expect.element(page.getByRole('radio', { name: 'uncategorized' })).toBeChecked()
})

test('a field that another release has stored with another type is left out of the restored draft', async () => {
  const fields = { title: 'Quinces', type_id: 9, days: 7, price: null }
  localStorage.setItem('draft:1:new-listing', JSON.stringify({ fields }))
  await openForm()

  await expect.element(title()).toHaveValue('Quinces')
  await expect.element(type()).toHaveValue(String(types.sell))
  await expect.element(days()).toHaveValue('')
  await expect.element(price()).toHaveValue('')
})

test('a posted listing leaves no draft, and the next one is another', async () => {
  const { api, reopen } = await openForm()
  const calls = api.on(createListing, () => quinces)
  await fill('Quinces')
  await post()
  await expect.poll(() => Object.keys(localStorage)).toEqual([])
  await reopen()
  await expect.element(title()).toHaveValue('')
  await fill('Medlars')
  await post()

  await expect
    .poll(() => calls.map(({ body }) => (body as { title?: unknown }).title))
    .toEqual(['Quinces', 'Medlars'])
})

test('the next listing can be written while one is being posted, and a failure asks to post it again', async () => {
  const { api, app, reopen } = await openForm()
  const failing = Promise.withResolvers<void>()
  api.on(createListing, () => failing.promise.then(() => new Refusal(500, { detail: 'No' })))
  await fill('Quinces')
  await post()
  await expect.element(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await reopen()
  await expect.element(title()).toHaveValue('')
  await userEvent.fill(title(), 'Medlars')
  failing.resolve()

  await expect
    .poll(() => app.toasts.actions.get().map(({ text }) => text))
    .toEqual(['“Quinces” was not posted.'])
  await expect.element(title()).toHaveValue('Medlars')
  const calls = api.on(createListing, () => quinces)
  app.toasts.actions.get()[0]?.press()
  await expect.poll(() => calls.length).toBe(1)
  await expect.poll(() => app.toasts.toast.get()?.text).toBe('Listing posted')
  expect(Object.values(localStorage).join()).toContain('Medlars')
})

test('the form says who sees the listing, what a ring is, and what has no category', async () => {
  await openForm()
  await expect.element(visibility()).toHaveAccessibleDescription('Every member sees it.')
  await userEvent.click(visibility())
  await expect.element(visibility()).toHaveAccessibleDescription('Only your friends see it.')
  await userEvent.selectOptions(type(), 'giveaway')
  await expect.element(rings()).toHaveAccessibleDescription(/three or four members give to each other/)
  const explained = page.getByText(/neither produce, seeds nor plants/)
  await expect.element(explained).not.toBeInTheDocument()
  await userEvent.click(page.getByText('uncategorized'))
  await expect.element(explained).toBeVisible()
})

test('the category follows the name until the member chooses one', async () => {
  const { api } = await openForm()
  let known: CallOutput<typeof guessCategory> = guessOf(categories.seeds)
  api.on(guessCategory, () => known)
  const choice = (name: string) => page.getByRole('radio', { name })
  await expect.element(choice('produce')).toBeChecked()
  await userEvent.fill(title(), 'Tomato seeds')
  await expect.element(choice('seeds')).toBeChecked()
  await expect.element(page.getByRole('group', { name: 'Category, guessed from the name' })).toBeVisible()
  known = { category_id: null, is_known: false }
  await userEvent.fill(title(), 'Wonders')
  await expect.element(choice('seeds')).toBeChecked()
  await userEvent.click(page.getByText('plants'))
  await expect.element(page.getByRole('group', { name: 'Category', exact: true })).toBeVisible()
  known = guessOf(categories.produce)
  const calls = api.on(guessCategory, () => known)
  await userEvent.fill(title(), 'Tomatoes')
  await expect.poll(() => calls.length).toBe(1)
  await expect.element(choice('plants')).toBeChecked()
})

function guessOf(category_id: 1 | 2 | 3) {
  return { category_id, is_known: true }
}
