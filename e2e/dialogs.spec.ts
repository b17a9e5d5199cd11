import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, type Member, test } from './fixtures.ts'
import { expectClosed } from './screens.ts'

const dialog = (page: Page) => page.getByRole('dialog')

const openFilter = async (page: Page) => {
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(dialog(page)).toBeVisible()
}

/** Goes from the member's profile to the market, and waits for the screen. */
async function goToMarket({ page }: Member) {
  await page.goto('/profile')
  await page.getByRole('link', { name: 'marketplace' }).click()
  await expect(page.getByRole('heading', { name: 'marketplace' })).toBeVisible()
}

test('Back closes an open dialog and stays on the page', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  await goToMarket(ann)
  const filter = page.getByRole('button', { name: 'Filter' })
  for (let time = 1; time <= 2; time++) {
    await openFilter(page)
    await page.goBack()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page).toHaveURL('/listings')
    await expect(filter).toBeFocused()
  }
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('one Back leaves a page that was reloaded with an open dialog', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  await goToMarket(ann)
  await openFilter(page)
  await page.reload()
  await expectClosed(page)
  await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('one Back leaves the page after its dialogs were closed by Escape, a button or save', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  await goToMarket(ann)
  await openFilter(page)
  await page.keyboard.press('Escape')
  await expectClosed(page)
  await openFilter(page)
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expectClosed(page)
  await page.goBack()
  await expect(page).toHaveURL('/profile')

  // A dialog that changes the URL adds one history entry.
  await goToMarket(ann)
  await openFilter(page)
  await dialog(page).getByText('oldest').click()
  await dialog(page).getByRole('button', { name: 'save' }).click()
  await expect(page).toHaveURL('/listings?sort=oldest')
  await page.goBack()
  await expect(page).toHaveURL('/listings')
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('Back closes a dialog that was opened after another was closed by Back', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  await page.goto('/messages')
  await page.goto(`/seller/${bob.actor.id}`)
  await page.getByRole('button', { name: 'block' }).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expectClosed(page)
  await page.getByRole('button', { name: 'Add friend' }).click()
  await expect(page.getByRole('dialog', { name: 'Invitation' })).toBeVisible()
  await page.goBack()
  await expectClosed(page)
  await expect(page).toHaveURL(`/seller/${bob.actor.id}`)
  await page.goBack()
  await expect(page).toHaveURL('/messages')
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
