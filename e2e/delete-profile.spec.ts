import { getPublicMember } from '#contract/members.ts'
import { expect, expectAccessible, type Member, test } from './fixtures.ts'

test('a wrong password deletes nothing; the right one logs out, clears the browser storage and says goodbye', async ({
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
  await expect(page).toHaveURL('/goodbye')
  await expect(page.getByRole('heading', { name: 'goodbye' })).toBeVisible()
  await expect(page.getByText('Your profile is deleted, and with it your listings')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Home' }).click()
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
