import { readFile } from 'node:fs/promises'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { expect, expectAccessible, type Member, test } from './fixtures.ts'

test('a member downloads their data as JSON', async ({ world }) => {
  const ann = await world.member('ann')
  await ann.actor.call(createListing, {
    body: { title: 'Old apples', type_id: types.giveaway, category_id: categories.produce },
  })
  await ann.page.goto('/profile')
  const downloadEvent = ann.page.waitForEvent('download')
  await ann.page.getByRole('button', { name: 'download my data' }).click()
  const download = await downloadEvent

  expect(download.suggestedFilename()).toBe('rhubarb-export.json')
  const text = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(text)).toEqual(expect.any(Object))
  expect(text).toContain(ann.email)
  expect(text).toContain('Old apples')
})

test('a failed download shows an error', async ({ world }) => {
  const ann = await world.member('ann')
  ann.allowErrors('status of 500')
  await ann.page.route('**/api/auth/export', (route) => route.fulfill({ status: 500, body: '' }))
  await ann.page.goto('/profile')
  await ann.page.getByRole('button', { name: 'download my data' }).click()
  await expect(ann.page.getByRole('alert')).toContainText('An error occurred')
  await ann.page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(ann.page.getByRole('alert')).toBeHidden()
})

test('deleting the profile with the password logs out, clears the browser storage and leads to the front page', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  await ann.page.goto('/profile')
  await openDialog(ann)
  await ann.page.getByLabel('Password').fill(ann.password)
  await ann.page.getByRole('button', { name: 'delete', exact: true }).click()

  await expect(ann.page).toHaveURL('/')
  await expect(ann.page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
  expect(await ann.page.evaluate(() => ({ ...localStorage }))).toEqual({})
  expect(await bob.actor.try(getPublicMember, { params: { id: ann.actor.id } })).toMatchObject({
    status: 404,
  })

  await ann.page.goto('/profile')
  await expect(ann.page).toHaveURL('/login?next=%2Fprofile')
})

test('a wrong password deletes nothing and is reported at the field', async ({ world }) => {
  const ann = await world.member('ann')
  ann.allowErrors('422')
  await ann.page.goto('/profile')
  await openDialog(ann)
  const password = ann.page.getByLabel('Password')
  await expect(password).toBeFocused()
  await password.fill('apple-crumble')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription('This is not your password')
  await expect(password).toBeFocused()
  await expectAccessible(ann.page)

  await password.fill('')
  await expect(ann.page.getByText('This is not your password')).toBeHidden()
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription('Password is required')

  await ann.page.getByRole('button', { name: 'cancel' }).click()
  await expect(ann.page.getByRole('dialog')).toBeHidden()
  await ann.page.reload()
  await expect(ann.page.getByText(`@${ann.username}`)).toBeVisible()
})

async function openDialog({ page }: Member) {
  await page.getByRole('button', { name: 'delete my profile' }).click()
  await expect(page.getByRole('dialog', { name: 'delete my profile?' })).toBeVisible()
}
