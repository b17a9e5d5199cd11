import { categories, types } from '#contract/constants.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { withDatabase } from './database.ts'
import { expect, expectAccessible, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'
import { expectClosed } from './screens.ts'

const sentence = 'A volunteer looks at your first listings before they are shown.'

for (const [size, viewport] of Object.entries({ phone, desktop: { width: 1280, height: 900 } }))
  test.describe(size, () => {
    test.use({ viewport, isMobile: false, hasTouch: false })

    test('an owner reads that a first listing waits, and a moderator finds the waiting ones first and shows them', async ({
      world,
    }) => {
      const [ann, cat, maud] = await Promise.all([
        world.member('ann'),
        world.account('cat'),
        world.member('maud'),
      ])
      await makeModerator(maud)
      const name = crypto.randomUUID()
      const post = (title: string) =>
        ann.actor.call(createListing, {
          body: { title, type_id: types.giveaway, category_id: categories.produce },
        })
      const [kale, leek] = [await post(`Kale ${name}`), await post(`Leek ${name}`)]
      // The tests share the settings of the site, which would hold the listings of others too.
      await withDatabase((database) =>
        database.query('update listings set hidden_at = now(), is_held = true where id = any ($1)', [
          [kale.id, leek.id],
        ]),
      )
      const newer = await post(`Beans ${name}`)

      await ann.page.goto(`/listings/${kale.id}`)
      await expect(ann.page.getByText(sentence)).toBeVisible()
      await expectAccessible(ann.page)
      const { page } = maud
      const keys = new Keyboard(page)
      await page.goto('/desk/listings')
      const waiting = page.getByRole('region', { name: 'First listings that wait to be shown' })
      const rowOf = ({ title }: { title: string }) => page.getByRole('article').filter({ hasText: title })
      await expect(page.getByRole('article').first()).not.toContainText(newer.title)
      for (const listing of [leek, kale]) {
        await expect(waiting.getByRole('article').filter({ hasText: listing.title })).toContainText(
          'waits to be shown',
        )
        await expect(rowOf(listing)).toHaveCount(1)
        await keys.tabTo(page.getByRole('checkbox', { name: listing.title }))
        await keys.press('Space')
      }
      await expectAccessible(page)
      await keys.activate(rowOf(kale).getByRole('button', { name: 'decide on 2 listings' }))
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByLabel('Action')).toHaveValue('show')
      await keys.fill(dialog.getByLabel('Reason'), 'Welcome')
      await keys.activate(dialog.getByRole('button', { name: 'save' }))
      await expectClosed(page)
      await expect(page.getByText('2 listings changed.')).toBeVisible()
      // It leaves the list of what waits.
      await expect(rowOf(kale)).toHaveCount(1)
      await expect(rowOf(kale)).not.toContainText('waits to be shown')
      for (const { id } of [kale, leek])
        expect((await cat.actor.try(getListing, { params: { id } })).status).toBe(200)
      await ann.page.reload()
      await expect(ann.page.getByRole('heading', { name: kale.title })).toBeVisible()
      await expect(ann.page.getByText(sentence)).toHaveCount(0)
      await ann.page.goto('/notifications')
      await expect(ann.page.getByRole('main')).toContainText('2 of your listings are shown now')
    })
  })
