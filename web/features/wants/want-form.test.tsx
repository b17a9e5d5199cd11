import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { categories } from '#contract/constants.ts'
import { guessCategory } from '#contract/listings.ts'
import { listWants, saveWants, type Want, wantMessages } from '#contract/wants.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { WantForm } from './want-form.tsx'

const fig: Want = { id: 1, title: 'Figs', category_id: categories.produce, listing_count: 0 }
const quince: Want = { id: 2, title: 'Quinces', category_id: categories.produce, listing_count: 0 }

const item = (category: string, number: number) =>
  page.getByRole('textbox', { name: `${category}, item ${number}`, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const failure = () => page.getByText('Failed to save changes. Please try again.', { exact: false })
const restoredNotice = () => page.getByText('Your changes from before are back.', { exact: false })
const stored = () => Object.values(localStorage).join()

async function openForm(wants: readonly Want[] = [], suggested?: { title: string; category_id: 2 }) {
  const form = (now: readonly Want[]) => <WantForm wants={now} suggested={suggested} />
  const shown = await renderInApp(form(wants))
  return {
    ...shown,
    showWants: (now: readonly Want[]) => shown.show(form(now)),
    async reopen(now = wants) {
      await shown.show(null)
      await expect.element(button('save')).not.toBeInTheDocument()
      await shown.show(form(now))
    },
  }
}

test('a category takes five items, one after the other, and Enter adds the next', async () => {
  await openForm()
  await expect.element(button('add to seeds')).toBeDisabled()
  await userEvent.fill(item('seeds', 1), 'Crop 1')
  for (let number = 2; number <= 5; number += 1) {
    await userEvent.keyboard('{Enter}')
    await expect.element(item('seeds', number)).toHaveFocus()
    await userEvent.fill(item('seeds', number), `Crop ${number}`)
  }

  await expect.element(button('add to seeds')).toBeDisabled()
  await expect.element(page.getByText('5 of 5')).toBeVisible()
})

test('a saved item is marked, kept again, and makes room while it is marked', async () => {
  const full = Array.from({ length: 5 }, (_, index) => ({
    ...fig,
    id: index + 1,
    title: `Crop ${index + 1}`,
  }))
  await openForm(full)
  await userEvent.click(button('Delete Crop 2'))
  await expect.element(button('keep Crop 2')).toHaveFocus()
  await userEvent.click(button('keep Crop 2'))
  await expect.element(item('produce', 2)).toHaveFocus()

  await userEvent.click(button('Delete Crop 2'))
  await userEvent.click(button('add to produce'))
  await userEvent.fill(item('produce', 6), 'Crop 6')
  await expect.element(button('keep Crop 2')).toHaveAttribute('aria-disabled', 'true')
})

test('a new item is removed, and the focus goes to the last one; the only one is emptied', async () => {
  await openForm()
  await userEvent.fill(item('seeds', 1), 'Poppies')
  await userEvent.click(button('add to seeds'))
  await userEvent.click(button('Delete seeds, item 2'))
  await expect.element(item('seeds', 1)).toHaveFocus()
  await userEvent.click(button('Delete Poppies'))

  await expect.element(item('seeds', 1)).toHaveValue('')
  await expect.element(item('seeds', 1)).toHaveFocus()
})

test('an item that is too short is explained until it is edited, and nothing is saved', async () => {
  const { api } = await openForm()
  const calls = api.on(saveWants, () => [])
  await userEvent.fill(item('plants', 1), 'ab')
  await userEvent.click(button('save'))
  await expect
    .element(item('plants', 1))
    .toHaveAccessibleDescription('Each item must have at least 3 characters')
  await expect.element(item('plants', 1)).toHaveFocus()
  expect(calls).toEqual([])

  await userEvent.fill(item('plants', 1), 'abc')
  await expect.element(item('plants', 1)).not.toHaveAttribute('aria-invalid')
})

test('an empty list is not saved', async () => {
  await openForm()
  await userEvent.click(button('save'))
  await expect.element(page.getByText(wantMessages.nothingToSave)).toBeVisible()
})

test('one call saves what was added, renamed and removed', async () => {
  const { api } = await openForm([fig, quince])
  const calls = api.on(saveWants, () => [{ ...fig, title: 'Black figs' }])
  await userEvent.fill(item('produce', 1), 'Black figs')
  await userEvent.click(button('Delete Quinces'))
  await userEvent.fill(item('uncategorized', 1), 'Old bricks')
  await userEvent.click(button('save'))

  await expect
    .poll(() => calls.map(({ body }) => body))
    .toEqual([
      {
        add: [{ title: 'Old bricks', category_id: null }],
        rename: [{ id: 1, title: 'Black figs' }],
        remove: [2],
      },
    ])
  await expect.poll(stored).toBe('')
})

test('after a failure the edits stay, and the next save begins with the current list', async () => {
  const { api } = await openForm([fig, quince])
  await userEvent.fill(item('produce', 1), 'Black figs')
  api.on(saveWants, () => new Refusal(404, { detail: wantMessages.notFound }))
  await userEvent.click(button('save'))
  await expect.element(failure()).toBeVisible()
  await expect.element(item('produce', 1)).toHaveValue('Black figs')

  // Another device has deleted the figs.
  api.on(listWants, () => [quince])
  const calls = api.on(saveWants, () => [quince, { ...fig, id: 3, title: 'Black figs' }])
  await userEvent.click(button('save'))
  await expect
    .poll(() => calls.map(({ body }) => body))
    .toEqual([{ add: [{ title: 'Black figs', category_id: categories.produce }], rename: [], remove: [] }])
})

test('a full category says so below the failure', async () => {
  const { api } = await openForm()
  api.on(saveWants, () => new Refusal(409, { detail: wantMessages.tooMany }))
  await userEvent.fill(item('seeds', 1), 'Poppies')
  await userEvent.click(button('save'))

  await expect.element(page.getByText(wantMessages.tooMany, { exact: false })).toBeVisible()
  await userEvent.click(button('Dismiss'))
  await expect.element(failure()).not.toBeInTheDocument()
})

test('a draft is restored on the current list until it is discarded', async () => {
  const { reopen } = await openForm([fig])
  await userEvent.fill(item('produce', 1), 'Black figs')
  await userEvent.fill(item('seeds', 1), 'Poppies')
  await expect.poll(stored).toContain('Poppies')
  await reopen([fig, quince])
  await expect.element(restoredNotice()).toBeVisible()
  await expect.element(item('produce', 1)).toHaveValue('Black figs')
  await expect.element(item('produce', 2)).toHaveValue('Quinces')
  await expect.element(item('seeds', 1)).toHaveValue('Poppies')

  await userEvent.click(button('discard'))
  await expect.element(restoredNotice()).not.toBeInTheDocument()
  await expect.element(item('produce', 1)).toHaveValue('Figs')
  await expect.element(item('seeds', 1)).toHaveValue('')
  expect(stored()).toBe('')
})

test('a change of the list elsewhere keeps what is being typed, with its focus', async () => {
  const { showWants } = await openForm([fig])
  await userEvent.fill(item('seeds', 1), 'Pop')
  await showWants([fig, quince])
  await expect.element(item('produce', 2)).toHaveValue('Quinces')
  await userEvent.keyboard('pies')

  await expect.element(item('seeds', 1)).toHaveValue('Poppies')
})

test('a suggestion has a line with the focus, and is stored as a draft', async () => {
  const { reopen } = await openForm([fig], { title: 'Salsify', category_id: categories.seeds })
  await expect.element(item('seeds', 1)).toHaveValue('Salsify')
  await expect.element(item('seeds', 1)).toHaveFocus()
  await expect.poll(stored).toContain('Salsify')

  // A suggestion that is shown again is not added again.
  await reopen()
  await expect.element(item('seeds', 1)).toHaveValue('Salsify')
  await expect.element(item('seeds', 2)).not.toBeInTheDocument()
})

test('one box adds items to the categories that the server guesses, as chips that can be moved and removed', async () => {
  const { api } = await openForm([
    ...Array.from({ length: 5 }, (_, index) => ({ ...fig, id: index + 1, title: `Crop ${index + 1}` })),
  ])
  api.on(guessCategory, () => ({ category_id: categories.seeds, is_known: true }))
  const box = page.getByRole('textbox', { name: 'What do you want?' })
  const chips = page.getByRole('list', { name: 'New on your wish list' })
  await userEvent.fill(box, 'ab')
  await userEvent.keyboard('{Enter}')
  await expect.element(box).toHaveAccessibleDescription('Each item must have at least 3 characters')
  await userEvent.fill(box, 'Poppies')
  await userEvent.keyboard('{Enter}')
  await expect.element(item('seeds', 1)).toHaveValue('Poppies')
  await expect.element(box).toHaveValue('')
  await expect.element(box).toHaveFocus()

  const category = page.getByRole('combobox', { name: 'Category of Poppies' })
  await userEvent.selectOptions(category, 'plants')
  await expect.element(item('plants', 1)).toHaveValue('Poppies')
  await expect.element(item('seeds', 1)).toHaveValue('')
  await userEvent.selectOptions(category, 'produce')
  await expect.element(box).toHaveAccessibleDescription(wantMessages.tooMany)
  await expect.element(category).toHaveValue('plants')
  await userEvent.click(chips.getByRole('button', { name: 'Remove Poppies' }))
  await expect.element(chips).not.toBeInTheDocument()
  await expect.element(item('plants', 1)).toHaveValue('')
})
