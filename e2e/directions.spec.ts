import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { expect, test } from './fixtures.ts'

test('names and titles of members keep their direction within sentences', async ({ world }) => {
  const ann = await world.account('ann')
  const { id } = await ann.actor.call(createListing, {
    body: { title: 'تفاح!', type_id: types.giveaway, is_public: true },
  })
  const { page } = await world.member('bob')
  /** Returns whether every text of the dialog with these words is isolated from the text around it. */
  const areIsolated = (words: string) =>
    page.evaluate((words) => {
      const walker = document.createTreeWalker(
        document.querySelector('dialog[open]') ?? document.body,
        NodeFilter.SHOW_TEXT,
      )
      const texts: boolean[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (node.textContent?.includes(words))
          texts.push((node.parentElement?.closest('bdi, [dir=auto]') ?? null) !== null)
      return texts.length > 0 && texts.every(Boolean)
    }, words)

  await page.goto(`/listings/${id}`)
  await page.getByRole('button', { name: 'I’d like this' }).filter({ visible: true }).click()
  await expect(page.getByRole('dialog')).toContainText('sees who asks')
  // A username breaks after its underscores, so its parts are texts.
  const [name = ''] = ann.username.split(/(?<=_)/)
  expect(await areIsolated('تفاح!')).toBe(true)
  expect(await areIsolated(name)).toBe(true)
})
