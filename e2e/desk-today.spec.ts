import { getFigures } from '#contract/figures.ts'
import { withDatabase } from './database.ts'
import { expect, expectAccessible, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('a moderator sees the charts of the site, and their numbers as tables, by keyboard', async ({
      world,
    }) => {
      const maud = await world.member('maud')
      await makeModerator(maud)
      const { page } = maud
      const keys = new Keyboard(page)
      const { from } = await maud.actor.call(getFigures)
      await withDatabase((client) =>
        client.query(
          `insert into daily_figures (day, kind, count)
          select $1::date + 3, kind, count from unnest(array['registrations', 'registrations_confirmed'], array[40017, 39017]) f (kind, count)
          on conflict (day, kind) do update set count = excluded.count`,
          [from],
        ),
      )
      await page.goto('/desk')
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await keys.activate(page.getByRole('link', { name: 'Today', exact: true }))
      const chart = page.getByRole('region', { name: 'Registrations', exact: true })
      await expect(chart.locator('canvas')).toBeVisible()
      await expect(chart).toContainText(/registered: 4\d,\d{3}/)
      await expect(chart).toContainText(/with a confirmed address: 39,\d{3} \(9\d%\)/)
      await expect(page).toHaveTitle('Today at the site · Rhubarb')
      await expectAccessible(page)

      await keys.activate(chart.getByText('Numbers by day'))
      const row = chart.getByRole('row').filter({ hasText: '40,017' })
      await expect(row.getByRole('cell')).toHaveText(['40,017', '39,017'])
      await expectAccessible(page, 'the numbers of a chart')
    })
  })

test('the charts are drawn within the content security policy, and again in the dark', async ({ world }) => {
  const maud = await world.member('maud')
  await makeModerator(maud)
  const { page } = maud
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
  })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/desk/today')
  const canvas = page.getByRole('region', { name: 'Registrations', exact: true }).locator('canvas')
  await expect(canvas).toBeVisible()
  const picture = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
  const light = await picture()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(picture).not.toBe(light)
  expect(refused).toEqual([])
})
