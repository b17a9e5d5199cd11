import { getProfile } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { acceptTrade, createTrade } from '#contract/trades.ts'
import { desktop, expect, expectAccessible, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { befriend } from './sample-data.ts'
import { button, card, list } from './trading.ts'

for (const size of [phone, desktop])
  test(`a giver shares the street address for a pickup, ${size.width} px wide`, async ({ world }) => {
    const [ann, bob] = [await world.member('ann'), await world.member('bob')]
    await befriend(ann, bob)
    await ann.actor.call(updateProfile, { body: { address: '1 Leek Lane', apt: '2b' } })
    const listing_id = await list(ann, 'A bucket of plums')
    const { id } = await bob.actor.call(createTrade, { body: { listing_id } })
    await ann.actor.call(acceptTrade, { params: { id } })
    for (const { page } of [ann, bob]) {
      await page.setViewportSize(size)
      await page.goto(`/trades/${id}`)
    }
    await expect(card(bob.page)).toContainText('promised')
    await expect(button(card(bob.page), 'say where')).toHaveCount(0)
    await button(card(ann.page), 'say where').click()
    const dialog = ann.page.getByRole('dialog')
    await expect(dialog).toContainText('Only who gets it sees this.')
    await button(dialog, 'use my address').click()
    await expect(dialog.getByLabel('Place')).toHaveValue('1 Leek Lane, 2b')
    await expectAccessible(ann.page)
    await setTextSize(ann.page, '200%')
    await expectNoLayoutFaults(ann.page, 'the place of a pickup with text twice as large')
    await setTextSize(ann.page, '')
    await button(dialog, 'save').click()
    await expect(dialog).toHaveCount(0)
    for (const { page } of [ann, bob]) await expect(card(page)).toContainText('Place: 1 Leek Lane, 2b')
    await expectAccessible(bob.page)
  })

test('the profile shows the street address, says who sees it, and clears it', async ({ world }) => {
  const { actor, page } = await world.member('ann')
  await actor.call(updateProfile, { body: { address: '1 Leek Lane', apt: '2b' } })
  await page.goto('/profile/edit')
  const address = page.getByLabel('Address (optional)')
  await expect(address).toHaveValue('1 Leek Lane')
  await expect(address).toHaveAccessibleDescription('Nobody sees it, until you share it for a pickup.')
  await address.fill('')
  await page.getByLabel('Apt (optional)').fill('')
  await button(page, 'save').click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await actor.call(getProfile)).toMatchObject({ address: null, apt: null })
})
