import { expect, expectAccessible, navigate, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('an operator sees the state of the site in words, and checks what is around it, by keyboard', async ({
      world,
    }) => {
      const olga = await world.member('olga')
      await makeModerator(olga, 'operator')
      const { page } = olga
      const keys = new Keyboard(page)
      await page.goto('/desk/mail')
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await keys.activate(page.getByRole('link', { name: 'Health' }))
      await expect(page).toHaveTitle('Health · Rhubarb')
      const machine = page.getByRole('region', { name: 'This machine' })
      await expect(machine).toContainText('Backup')
      await expect(page.getByRole('main')).toContainText(/PostgreSQL\s*\d+/)
      await expectAccessible(page)
      const around = page.getByRole('region', { name: 'Around the site' })
      await keys.activate(around.getByRole('button', { name: 'check now' }))
      await expect(around.getByRole('listitem').filter({ hasText: 'Certificate' })).toBeVisible({
        timeout: 30_000,
      })
      await expectAccessible(page, 'the checks')
    })
  })

test('health is Page Not Found for a moderator', async ({ world }) => {
  const maud = await world.member('maud')
  await makeModerator(maud)
  const { page, allowErrors } = maud
  allowErrors(/status of 404.*\/desk/)
  await page.goto('/desk')
  await navigate(page, '/desk/health')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
