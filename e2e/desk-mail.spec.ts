import { withDatabase } from './database.ts'
import { expect, expectAccessible, navigate, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'

/** Adds jobs about members that have failed for good. */
function failedJobs(members: readonly number[], error: string) {
  return withDatabase((client) =>
    client.query(
      `insert into jobs.job (name, data, state, retry_count, completed_on, output, policy)
      select name, jsonb_build_object('user_id', member), 'failed', 30, now(), jsonb_build_object('message', $2::text), policy
      from jobs.queue cross join unnest($1::bigint[]) member where name = 'send-password-changed-mail'`,
      [members, error],
    ),
  )
}

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('an operator sees what failed, retries and drops it, and sends a test mail, by keyboard', async ({
      world,
    }) => {
      const [olga, bob, cat] = await Promise.all([
        world.member('olga'),
        world.account('bob'),
        world.account('cat'),
      ])
      await makeModerator(olga, 'operator')
      const error = `550 ${crypto.randomUUID()}`
      await failedJobs([bob.actor.id, cat.actor.id], error)
      const { page, allowErrors } = olga
      allowErrors('status of 422')
      const keys = new Keyboard(page)
      await page.goto('/desk')
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await keys.activate(page.getByRole('link', { name: 'Mail and jobs' }))
      await expect(page).toHaveTitle('Mail and jobs · Rhubarb')
      const jobOf = (username: string) =>
        page.getByRole('listitem').filter({ hasText: error }).filter({ hasText: username })
      await expect(jobOf(bob.username)).toContainText('31 attempts')
      await expect(jobOf(bob.username).getByRole('link', { name: bob.username })).toBeVisible()
      await expect(page.getByRole('row').filter({ hasText: 'failed for good' })).not.toHaveCount(0)
      await expectAccessible(page)

      await keys.activate(jobOf(bob.username).getByRole('button', { name: 'retry' }))
      await expect(jobOf(bob.username)).toHaveCount(0)
      await keys.activate(jobOf(cat.username).getByRole('button', { name: 'drop' }))
      const dialog = page.getByRole('dialog')
      await expectAccessible(page, 'the dialog to drop a job')
      await keys.activate(dialog.getByRole('button', { name: 'drop' }))
      await expect(jobOf(cat.username)).toHaveCount(0)

      const to = page.getByLabel('Send a test mail to')
      await keys.fill(to, 'nobody')
      await keys.press('Enter')
      await expect(to).toHaveAccessibleDescription('Invalid email address')
      await to.fill('')
      await keys.fill(to, `${crypto.randomUUID()}@example.com`)
      await keys.press('Enter')
      await expect(page.getByText('The test mail is on its way.')).toBeVisible()

      await keys.activate(page.getByRole('link', { name: 'Audit log' }))
      const mine = page.getByRole('listitem').filter({ hasText: olga.username })
      await expect(mine).toContainText(['Test mail sent', 'Failed jobs dropped', 'Failed jobs tried again'])
    })
  })

test('mail and jobs are Page Not Found for a moderator, who has no link to them', async ({ world }) => {
  const maud = await world.member('maud')
  await makeModerator(maud)
  const { page, allowErrors } = maud
  allowErrors(/status of 404.*\/desk/)
  await page.goto('/desk')
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Mail and jobs' })).toHaveCount(0)
  await navigate(page, '/desk/mail')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page).toHaveTitle('Page Not Found · Rhubarb')
})
