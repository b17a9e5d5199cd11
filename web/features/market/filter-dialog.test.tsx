import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { ann } from '#web/testing/stored.ts'
import { FilterDialog } from './filter-dialog.tsx'
import type { ListingFilter } from './market-search.ts'

async function openFilter(
  filter: ListingFilter = {},
  { hasWords = false, zip_code = '97214' as string | null, location_known = true } = {},
) {
  const save = vi.fn()
  const page = await renderInApp(null)
  page.app.queryClient.setQueryData(profileQuery.queryKey, { ...ann, zip_code, location_known })
  await page.show(<FilterDialog filter={filter} hasWords={hasWords} onSave={save} onClose={() => {}} />)
  return { ...page, save, button: (name: string) => page.screen.getByRole('button', { name }) }
}

test('saves the chosen sort, types, prices and distance', async () => {
  const { screen, save, button } = await openFilter()
  await userEvent.click(screen.getByRole('radio', { name: 'lowest' }))
  await userEvent.click(button('giveaway'))
  await userEvent.fill(screen.getByRole('textbox', { name: 'min' }), '2')
  await userEvent.fill(screen.getByRole('textbox', { name: 'max' }), '20')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Near me' }), '10')
  await userEvent.click(button('save'))

  await vi.waitFor(() =>
    expect(save).toHaveBeenCalledWith({ sort: 'lowest', show: 'giveaway', min: 2, max: 20, near: 10 }),
  )
})

test('reset brings back the defaults, which leave the address empty', async () => {
  const { save, button } = await openFilter({ sort: 'highest', min: 3, near: 5 })
  await userEvent.click(button('reset'))
  await userEvent.click(button('save'))

  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce())
  expect(Object.values(save.mock.lastCall?.[0]).filter((value) => value !== undefined)).toEqual([])
})

test('prices keep digits only', async () => {
  const { screen } = await openFilter()
  const min = screen.getByRole('textbox', { name: 'min' })
  await userEvent.fill(min, '$1a2.')

  await expect.element(min).toHaveValue('12')
})

test('a lowest price above the highest is explained and not saved', async () => {
  const { screen, button, save } = await openFilter()
  await userEvent.fill(screen.getByRole('textbox', { name: 'min' }), '30')
  await userEvent.fill(screen.getByRole('textbox', { name: 'max' }), '20')

  await expect.element(screen.getByText('The lowest price must not be above the highest')).toBeVisible()
  await expect.element(button('save')).toHaveAttribute('aria-disabled', 'true')
  expect(save).not.toHaveBeenCalled()
})

test('a member without a postal code is asked for it instead of a distance', async () => {
  const { screen } = await openFilter({}, { zip_code: null, location_known: false })

  await expect.element(screen.getByRole('link', { name: 'Add your postcode' })).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Near me' }).query()).toBeNull()
  expect(screen.getByRole('radio', { name: 'nearest' }).query()).toBeNull()
})

test('a member with an unknown postal code reads which one, with a link that changes it', async () => {
  const { screen } = await openFilter({}, { zip_code: '94101', location_known: false })

  await expect.element(screen.getByText(/^We do not know the postal code 94101\./)).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Change it' })).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Near me' }).query()).toBeNull()
})

test('only a search by words is sorted by best', async () => {
  const { screen } = await openFilter({}, { hasWords: true })
  await expect.element(screen.getByRole('radio', { name: 'best' })).toBeChecked()
})
