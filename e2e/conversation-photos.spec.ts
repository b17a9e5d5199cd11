import type { Page } from '@playwright/test'
import { listMessages } from '#contract/messages.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { photo, textFile } from './photos.ts'

const log = (page: Page) => page.getByRole('log')
const chosen = (page: Page) => page.getByRole('list', { name: 'Photos to send' }).getByRole('listitem')
const send = (page: Page) => page.getByRole('button', { name: 'Send' })
const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(files)

/** Waits until the browser has loaded every photo of the conversation. */
async function expectLoadedPhotos(page: Page, count: number) {
  await expect
    .poll(() =>
      log(page)
        .locator('button img')
        .evaluateAll((images) =>
          images.map((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
        ),
    )
    .toEqual(Array.from({ length: count }, () => true))
}

test('photos are chosen, sent without a text, and shown full screen to the other member', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  const small = await photo({ width: 320, height: 240 })
  await bob.page.goto(`/messages/${ann.actor.id}`)
  await expect(bob.page.getByRole('button', { name: 'Add photos' })).toBeVisible()
  await choose(bob.page, textFile)
  await expect(bob.page.getByRole('alert')).toBeVisible()
  await expect(chosen(bob.page)).toHaveCount(0)
  await choose(bob.page, [small, small, small])
  await expect(chosen(bob.page)).toHaveCount(3)
  await choose(bob.page, [small, small])
  await expect(bob.page.getByRole('alert')).toHaveText('A message can have at most 4 photos')
  await expect(chosen(bob.page)).toHaveCount(4)
  await bob.page.getByRole('button', { name: 'Remove photo 4' }).click()
  await bob.page.getByRole('button', { name: 'Remove photo 3' }).click()
  await expect(chosen(bob.page)).toHaveCount(2)
  await expectAccessible(bob.page)
  await send(bob.page).click()
  await expect(chosen(bob.page)).toHaveCount(0)
  await expectLoadedPhotos(bob.page, 2)

  await ann.page.goto('/messages')
  await expect(ann.page.getByRole('link', { name: bob.username })).toContainText('2 photos')
  await ann.page.goto(`/messages/${bob.actor.id}`)
  await expectLoadedPhotos(ann.page, 2)
  await expectAccessible(ann.page)
  await log(ann.page).getByRole('button', { name: 'Show photo 2 of 2 full screen' }).click()
  const viewer = ann.page.getByRole('dialog', { name: `Photos from ${bob.username}` })
  await expect(viewer.getByRole('status')).toHaveText('2 of 2')
  await ann.page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
})

test('a photo that could not be sent is kept over a reload and arrives once', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  const { page } = bob
  bob.allowErrors('Failed to load resource', '/api/images net::ERR_FAILED')
  await page.goto(`/messages/${ann.actor.id}`)
  await expect(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
  await choose(page, await photo({ width: 320, height: 240 }))
  await expect(chosen(page)).toHaveCount(1)
  // On the context, because `page.route` of the fixtures turns the cookie off, which photos need.
  await page.context().route('**/api/images', (route) => route.abort())
  await page.getByPlaceholder('Type a message…').fill('Look at these')
  await send(page).click()
  await expect(log(page)).toContainText('Not sent.')
  await expect(log(page).getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await log(page).getByRole('button', { name: 'Try again' }).click()
  await expect(log(page)).toContainText('Not sent.')

  await page.context().unroute('**/api/images')
  await page.reload()
  await expectLoadedPhotos(page, 1)
  await expect(log(page)).not.toContainText('Not sent.')
  const messages = await ann.actor.call(listMessages, { params: { id: bob.actor.id }, query: {} })
  expect(messages.map(({ content, images }) => [content, images.length])).toEqual([['Look at these', 1]])
})
