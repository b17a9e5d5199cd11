import { readFile } from 'node:fs/promises'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { expect, expectAccessible, type Member, test } from './fixtures.ts'

test('a member downloads their data as JSON, and sees when that fails', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors('status of 500')
  await ann.actor.call(createListing, {
    body: { title: 'Old apples', type_id: types.giveaway, category_id: categories.produce },
  })
  await page.goto('/profile')
  await page.route('**/api/auth/export', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
  await page.getByRole('button', { name: 'download my data' }).click()
  await expect(page.getByRole('alert')).toContainText('An error occurred')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toBeHidden()

  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'download my data' }).click()
  const download = await downloadEvent
  expect(download.suggestedFilename()).toBe('rhubarb-export.json')
  const text = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(text)).toEqual(expect.any(Object))
  expect(text).toContain(ann.email)
  expect(text).toContain('Old apples')
})

test('a wrong password deletes nothing; the right one logs out, clears the browser storage and leads to the front page', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  ann.allowErrors('422')
  await page.goto('/profile')
  await openDialog(ann)
  const password = page.getByLabel('Password')
  await expect(password).toBeFocused()
  await password.fill('apple-crumble')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription('This is not your password')
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('')
  await expect(page.getByText('This is not your password')).toBeHidden()
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription('Password is required')
  await page.getByRole('button', { name: 'cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const params = { id: ann.actor.id }
  expect(await bob.actor.try(getPublicMember, { params })).toMatchObject({ status: 200 })

  await openDialog(ann)
  await password.fill(ann.password)
  await page.getByRole('button', { name: 'delete', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
  expect(await bob.actor.try(getPublicMember, { params })).toMatchObject({ status: 404 })

  await page.goto('/profile')
  await expect(page).toHaveURL('/login?next=%2Fprofile')
})

async function openDialog({ page }: Member) {
  await page.getByRole('button', { name: 'delete my profile' }).click()
  await expect(page.getByRole('dialog', { name: 'delete my profile?' })).toBeVisible()
}
