import { listBans } from '#contract/bans.ts'
import { getDeskMember } from '#contract/desk-members.ts'
import { withDatabase } from './database.ts'
import { expect, expectAccessible, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'
import { expectClosed } from './screens.ts'

/** Stores equal messages of a member to strangers, more than any other test sends. */
function writeToStrangers(sender: number) {
  return withDatabase((client) =>
    client.query(
      `insert into messages (low_id, high_id, sender_id, receiver_id, content, client_id)
      select $1, 800000000 + n, $1, 800000000 + n, 'Cheap pots!', gen_random_uuid() from generate_series(1, 150) n`,
      [sender],
    ),
  )
}

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('an operator pauses and suspends who writes to strangers, and bans a domain, by keyboard', async ({
      world,
    }) => {
      const [olga, ann] = await Promise.all([world.member('olga'), world.account('ann')])
      await makeModerator(olga, 'operator')
      await writeToStrangers(ann.actor.id)
      const { page, allowErrors } = olga
      allowErrors('status of 422')
      const keys = new Keyboard(page)
      const dialog = page.getByRole('dialog')
      const senders = page.getByRole('region', { name: 'Writing to many strangers in a day' })
      const row = senders.getByRole('article').filter({ hasText: ann.actor.username })
      const detailsOf = () => olga.actor.call(getDeskMember, { params: { id: ann.actor.id } })
      await page.goto('/desk')
      await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
      await keys.activate(page.getByRole('link', { name: 'Suspicious' }))
      await expect(page).toHaveTitle('Suspicious · Rhubarb')
      await expect(row).toContainText('150 strangers · 1 text')
      await expectAccessible(page)

      await keys.activate(row.getByRole('button', { name: 'pause' }))
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expect(dialog.getByLabel('Days')).toHaveAccessibleDescription(/Please choose from 1 to 7 days/)
      await expectAccessible(page, 'the dialog to pause')
      await keys.tabTo(dialog.getByLabel('Days'))
      await page.keyboard.insertText('2')
      await keys.tabTo(dialog.getByLabel('Reason'))
      await page.keyboard.insertText('Advertising')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await expect(row).toContainText('paused')
      await expect(row.getByRole('button', { name: 'pause' })).toHaveCount(0)
      expect((await detailsOf()).paused_until).not.toBeNull()

      await keys.activate(row.getByRole('button', { name: 'suspend' }))
      await keys.tabTo(dialog.getByLabel('Reason'))
      await page.keyboard.insertText('Advertising')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await keys.activate(row.getByRole('button', { name: 'withdraw the messages' }))
      await keys.tabTo(dialog.getByLabel('Reason'))
      await page.keyboard.insertText('Advertising')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await expect(row).toHaveCount(0)
      expect(await detailsOf()).toMatchObject({ is_withdrawn: true })

      const domain = `${crypto.randomUUID()}.example`
      await keys.activate(page.getByRole('button', { name: 'ban an address or a domain' }))
      await keys.tabTo(dialog.getByLabel('Address or domain'))
      await page.keyboard.insertText('example')
      await keys.tabTo(dialog.getByLabel('Reason'))
      await page.keyboard.insertText('Spam')
      await keys.activate(dialog.getByRole('button', { name: 'ban', exact: true }))
      await expect(dialog.getByLabel('Address or domain')).toHaveAccessibleDescription(
        /Please write a domain like/,
      )
      await expectAccessible(page, 'the dialog to ban')
      await dialog.getByLabel('Address or domain').fill(domain)
      await keys.activate(dialog.getByRole('button', { name: 'ban', exact: true }))
      await expectClosed(page)
      const banned = page.getByRole('article').filter({ hasText: domain })
      await expect(banned).toContainText('Spam')
      await expectAccessible(page, 'with a ban')
      await keys.activate(banned.getByRole('button', { name: 'lift the ban' }))
      await keys.tabTo(dialog.getByLabel('Reason'))
      await page.keyboard.insertText('A mistake')
      await keys.activate(dialog.getByRole('button', { name: 'lift the ban' }))
      await expectClosed(page)
      await expect(banned).toHaveCount(0)
      expect((await olga.actor.call(listBans)).map(({ value }) => value)).not.toContain(domain)
    })
  })

test('a moderator sees the screen without bans to give, and for a member it is Page Not Found', async ({
  world,
}) => {
  const [maud, ann] = await Promise.all([world.member('maud'), world.member('ann')])
  await makeModerator(maud)
  await maud.page.goto('/desk/suspicious')
  await expect(maud.page.getByRole('heading', { name: 'Bans' })).toBeVisible()
  await expect(maud.page.getByRole('button', { name: /\bban/ })).toHaveCount(0)
  ann.allowErrors(/status of 404.*\/desk/)
  await ann.page.goto('/desk/suspicious')
  await expect(ann.page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
