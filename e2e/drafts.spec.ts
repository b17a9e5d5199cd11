import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { photo, storedPhotos } from './photos.ts'

test('the draft of a new listing is restored with its photos until it is discarded', async ({ world }) => {
  const { page } = await world.member('ann')
  const title = page.getByLabel('Item name')
  const price = page.getByLabel('Price')
  const type = page.getByLabel('Type')
  const restoredNotice = page.getByText('Your changes from before are back.')
  const file = page.locator('input[type=file]')
  const image = page.getByRole('img', { name: 'Photo 1' })
  const picture = await photo({ width: 300, height: 200 })
  const openDatabases = await countOpenDatabases(page)
  await page.goto('/listings/new')
  await title.fill('Quinces')
  await price.fill('12.5')
  await type.selectOption('exchange')
  await page.reload()
  await expect(restoredNotice).toBeVisible()
  await expect(title).toHaveValue('Quinces')

  await file.setInputFiles(picture)
  await expect(image).toBeVisible()
  await expect.poll(() => storedPhotos(page)).toEqual({ descriptions: [''], files: 1 })
  await expect.poll(openDatabases).toBe(0)
  await page.getByRole('link', { name: 'Back' }).click()
  await page.goto('/listings/new')
  await expect(image).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove photo 1' }).click()
  await expect.poll(() => storedPhotos(page)).toEqual({ descriptions: [], files: 0 })
  await page.reload()
  await expect(restoredNotice).toBeVisible()
  await expect(image).toHaveCount(0)

  await type.selectOption('sell')
  await price.fill('3')
  await page.getByText('publish the post to public').click()
  await file.setInputFiles(picture)
  await page.getByRole('button', { name: 'discard' }).press('Enter')
  await expect(restoredNotice).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'new listing' })).toBeFocused()
  await expect(page.getByText('Choose a photo')).toBeVisible()
  await expect(title).toHaveValue('')
  await expect(type).toHaveValue(String(types.sell))
  await expect(price).toHaveValue('')
  await expect(page.getByLabel('publish the post to public')).toBeChecked()
  // A change of the type does not restore the discarded price.
  await type.selectOption('giveaway')
  await type.selectOption('sell')
  await expect(price).toHaveValue('')
  await page.reload()
  await expect(title).toHaveValue('')
  await expect(restoredNotice).toHaveCount(0)

  // A field that was filled and cleared leaves no draft.
  await title.fill('Medlars')
  await title.fill('')
  await page.reload()
  await expect(title).toHaveValue('')
  await expect(restoredNotice).toHaveCount(0)
})

/** Returns a function that counts the open connections of a page to IndexedDB. */
async function countOpenDatabases(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const { open } = indexedDB
    const opened = new Set<IDBDatabase>()
    IDBFactory.prototype.open = function (...database) {
      const request = open.apply(this, database)
      request.addEventListener('success', () => opened.add(request.result))
      return request
    }
    const { close } = IDBDatabase.prototype
    IDBDatabase.prototype.close = function () {
      opened.delete(this)
      close.call(this)
    }
    Object.assign(window, { countOpened: () => opened.size })
  })
  return () => page.evaluate(() => Reflect.get(window, 'countOpened')())
}
