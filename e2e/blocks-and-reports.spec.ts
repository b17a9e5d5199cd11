import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember, listBlocks } from '#contract/members.ts'
import { expect, type Member, once, test } from './fixtures.ts'

test('a member blocks another, having read what it does, and ends it again', async ({ garden }) => {
  const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
  const { page } = ann
  await page.goto(`/seller/${bob.actor.id}`)
  await expect(page.getByRole('button', { name: 'block', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'block', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'block this member?' })
  await expect(dialog).toContainText(`${bob.username} can no longer write to you`)
  await dialog.getByRole('button', { name: 'cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await ann.actor.call(listBlocks)).toEqual([])

  await page.getByRole('button', { name: 'block', exact: true }).click()
  await dialog.getByRole('button', { name: 'block' }).click()
  await expect(page.getByText(`${bob.username} is blocked`)).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await ann.actor.call(listBlocks)).toMatchObject([{ id: bob.actor.id }])

  await page.getByRole('button', { name: `unblock ${bob.username}` }).click()
  await expect(page.getByText(`${bob.username} is no longer blocked`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'block', exact: true })).toBeVisible()
  expect(await ann.actor.call(listBlocks)).toEqual([])
})

test(
  'a member finds whom they have blocked at their profile, and ends it there',
  once,
  async ({ garden }) => {
    const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
    const { page } = ann
    await page.goto('/profile/edit')
    await expect(page.getByRole('heading', { name: 'mail' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'blocked members' })).toBeHidden()

    await ann.actor.call(blockMember, { params: { id: bob.actor.id } })
    await page.reload()
    const blocked = page.getByRole('region', { name: 'blocked members' })
    await expect(blocked.getByRole('link', { name: bob.username })).toHaveAttribute(
      'href',
      `/seller/${bob.actor.id}`,
    )
    await blocked.getByRole('button', { name: `unblock ${bob.username}` }).click()
    await expect(blocked).toBeHidden()
    expect(await ann.actor.call(listBlocks)).toEqual([])
  },
)

test('a block that fails says why, and nobody is blocked', once, async ({ garden }) => {
  const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
  ann.expectTrouble('Failed to load resource')
  await ann.page.route('**/api/auth/blocks/*', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Back at noon.' } }),
  )
  await ann.page.goto(`/seller/${bob.actor.id}`)
  await ann.page.getByRole('button', { name: 'block', exact: true }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'block' }).click()
  await expect(ann.page.getByRole('alert')).toHaveText('Back at noon.')
})

test('a member reports another or their listing, and is thanked', once, async ({ garden }) => {
  const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
  const listing = await giveAway(bob)
  await ann.page.goto(`/seller/${bob.actor.id}`)
  await reportFrom(ann, 'report this member')
  const mail = await garden.mailTo('hello@rhubarb.example', bob.username)
  expect(mail.text).toContain(`Selling plastic tomatoes, says ${ann.username}`)

  await ann.page.goto(`/listings/${listing.id}`)
  await reportFrom(ann, 'report this listing')
})

test('a report says what is wrong', once, async ({ garden }) => {
  const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
  await ann.page.goto(`/seller/${bob.actor.id}`)
  await ann.page.getByRole('button', { name: 'report' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'send' }).click()
  const reason = ann.page.getByLabel('What is wrong?')
  await expect(reason).toHaveAccessibleDescription('Please say what is wrong')
  await expect(reason).toBeFocused()
})

test('a member neither blocks nor reports themselves', once, async ({ garden }) => {
  const ann = await garden.member('ann')
  const listing = await giveAway(ann)
  await ann.page.goto(`/seller/${ann.actor.id}`)
  await expect(ann.page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(ann.page.getByRole('button', { name: /block|report/ })).toHaveCount(0)

  await ann.page.goto(`/listings/${listing.id}`)
  await expect(ann.page.getByRole('button', { name: 'share' })).toBeVisible()
  await expect(ann.page.getByRole('button', { name: 'report' })).toHaveCount(0)
})

async function reportFrom({ page, username }: Member, title: string) {
  await page.getByRole('button', { name: 'report' }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel('What is wrong?').fill(`Selling plastic tomatoes, says ${username}`)
  await dialog.getByRole('button', { name: 'send' }).click()
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible()
  await expect(dialog).toBeHidden()
}

function giveAway({ actor }: Member) {
  const body = { title: 'Plastic tomatoes', type_id: types.giveaway, category_id: categories.produce }
  return actor.call(createListing, { body })
}
