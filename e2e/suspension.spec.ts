import { expect, type Member, test } from './fixtures.ts'

test('a suspended member is logged out, reads why at the login, and returns to the page once restored', async ({
  world,
}) => {
  const bob = await world.member('bob')
  bob.allowErrors('status of 401', 'status of 403')
  const { page } = bob
  await page.goto('/profile/edit')
  await expect(page.getByLabel('Username')).toHaveValue(bob.username)
  await world.administer('suspend', bob.username)

  await expect(page).toHaveURL(`/login?next=${encodeURIComponent('/profile/edit')}`)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
  await logIn(bob)
  await expect(page.getByRole('alert')).toHaveText(
    'This account is suspended. Please write to us if you think that is a mistake.',
  )

  await world.administer('restore', bob.username)
  await logIn(bob)
  await expect(page).toHaveURL('/profile/edit')
  await expect(page.getByLabel('Username')).toHaveValue(bob.username)
})

async function logIn({ page, email, password }: Member) {
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}
