import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, test } from './fixtures.ts'
import { expectClosed } from './screens.ts'

const dialog = (page: Page) => page.getByRole('dialog')

const openFilter = async (page: Page) => {
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(dialog(page)).toBeVisible()
}

test('Back closes an open dialog, and one Back leaves a page whose dialogs were closed otherwise', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  const filter = page.getByRole('button', { name: 'Filter' })
  await page.goto('/profile')
  const goToMarket = async () => {
    await page.getByRole('link', { name: 'marketplace' }).click()
    await expect(page.getByRole('heading', { name: 'marketplace' })).toBeVisible()
  }
  const goBackToProfile = async () => {
    await page.goBack()
    await expect(page).toHaveURL('/profile')
  }

  await test.step('closed by Back', async () => {
    await goToMarket()
    for (let time = 1; time <= 2; time++) {
      await openFilter(page)
      await page.goBack()
      await expect(dialog(page)).toHaveCount(0)
      await expect(page).toHaveURL('/listings')
      await expect(filter).toBeFocused()
    }
    await goBackToProfile()
  })

  await test.step('closed by a reload', async () => {
    await goToMarket()
    await openFilter(page)
    await page.reload()
    await expectClosed(page)
    await expect(filter).toBeVisible()
    await goBackToProfile()
  })

  await test.step('closed by the backdrop, unless the press begins in the dialog', async () => {
    await goToMarket()
    await openFilter(page)
    await dialog(page).getByRole('heading').hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    await expect(dialog(page)).toBeVisible()
    await page.mouse.click(5, 5)
    await expectClosed(page)
    await goBackToProfile()
  })

  await test.step('closed by Escape or a button', async () => {
    await goToMarket()
    await openFilter(page)
    await page.keyboard.press('Escape')
    await expectClosed(page)
    await openFilter(page)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expectClosed(page)
    await goBackToProfile()
  })

  await test.step('closed by save, which changes the URL and adds one history entry', async () => {
    await goToMarket()
    await openFilter(page)
    await dialog(page).getByText('oldest').click()
    await dialog(page).getByRole('button', { name: 'save' }).click()
    await expect(page).toHaveURL('/listings?sort=oldest')
    await page.goBack()
    await expect(page).toHaveURL('/listings')
    await goBackToProfile()
  })
})

test('a navigation from inside a dialog leaves no history entry of the dialog', async ({ world }) => {
  const ann = await world.member('ann')
  const { page, actor } = ann
  await page.goto('/profile')
  await page.getByRole('link', { name: '0 friends' }).click()
  await page.getByRole('button', { name: 'Use QR Code' }).click()
  await dialog(page).getByRole('img', { name: 'QR code of your profile link' }).click()
  await expect(page).toHaveURL(`/seller/${actor.id}`)
  await page.goBack()
  await expect(page).toHaveURL('/myfriends')
  await page.goBack()
  await expect(page).toHaveURL('/profile')

  const { id } = await actor.call(createListing, { body: { title: 'Bean poles', type_id: types.giveaway } })
  await page.getByRole('link', { name: 'my listing' }).click()
  await page.getByRole('link', { name: 'Bean poles', exact: true }).click()
  await expect(page).toHaveURL(`/listings/${id}`)
  // The listing may be gone before the browser requests the interested members.
  ann.allowErrors(/404.*\/matches/)
  await page.getByRole('button', { name: 'delete' }).click()
  await dialog(page).getByRole('button', { name: 'delete' }).click()
  await expect(page).toHaveURL('/my-listings')
  await page.goBack()
  await expect(page).toHaveURL('/my-listings')
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('Back closes a dialog that opens while the browser leaves the entry of another one', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.goto('/profile')
  await page.getByRole('link', { name: '0 friends' }).click()
  const share = page.getByRole('button', { name: 'Share your profile with a link' })
  for (const ending of ['Back', 'Escape']) {
    await page.getByRole('button', { name: 'Use QR Code' }).click()
    await expect(dialog(page)).toBeVisible()
    await share.evaluate((button: HTMLButtonElement) => {
      const { history } = window
      history.back = () => {
        Reflect.deleteProperty(history, 'back')
        history.back()
        button.click()
      }
    })
    await page.keyboard.press('Escape')
    await expect(dialog(page).getByRole('heading')).toHaveText('Share your profile link')
    if (ending === 'Back') await page.goBack()
    else await page.keyboard.press('Escape')
    await expectClosed(page)
    await expect(page).toHaveURL('/myfriends')
  }
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})
