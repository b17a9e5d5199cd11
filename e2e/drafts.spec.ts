import { types } from '#contract/constants.ts'
import { expect, expectAccessible, once, test } from './fixtures.ts'
import { photo } from './photos.ts'

test(
  'a new listing that was left comes back without its photo, until it is discarded',
  once,
  async ({ garden }) => {
    const { page } = await garden.member('ann')
    const title = page.getByLabel('Item name')
    const price = page.getByLabel('Price')
    const type = page.getByLabel('Type')
    const isBack = page.getByText('Your changes from before are back.')
    const lacksPhoto = page.getByText('Please choose your photo again.')
    const file = page.locator('input[type=file]')
    const picture = await photo({ width: 300, height: 200 })
    await page.goto('/listings/new')
    await title.fill('Quinces')
    await price.fill('12.5')
    await type.selectOption('exchange')
    await page.reload()
    await expect(isBack).toBeVisible()
    await expect(lacksPhoto).toHaveCount(0)
    await expect(title).toHaveValue('Quinces')

    await file.setInputFiles(picture)
    await expect(page.getByRole('img', { name: 'Chosen' })).toBeVisible()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.goto('/listings/new')
    await expect(lacksPhoto).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(lacksPhoto).toBeVisible()
    await file.setInputFiles(picture)
    await expect(lacksPhoto).toHaveCount(0)
    await page.getByRole('button', { name: 'remove' }).click()
    await page.reload()
    await expect(isBack).toBeVisible()
    await expect(lacksPhoto).toHaveCount(0)

    await type.selectOption('sell')
    await price.fill('3')
    await file.setInputFiles(picture)
    await page.getByRole('button', { name: 'discard' }).press('Enter')
    await expect(isBack).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'new listing' })).toBeFocused()
    await expect(page.getByText('Choose a photo')).toBeVisible()
    await expect(title).toHaveValue('')
    await expect(type).toHaveValue(String(types.sell))
    await expect(price).toHaveValue('')
    // Nor is the price remembered that was asked before.
    await type.selectOption('giveaway')
    await type.selectOption('sell')
    await expect(price).toHaveValue('')
    await page.reload()
    await expect(title).toHaveValue('')
    await expect(isBack).toHaveCount(0)

    // What is written and taken out again is nothing to bring back.
    await title.fill('Medlars')
    await title.fill('')
    await page.reload()
    await expect(title).toHaveValue('')
    await expect(isBack).toHaveCount(0)
  },
)
