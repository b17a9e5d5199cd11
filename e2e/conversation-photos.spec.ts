import type { Page, Route } from '@playwright/test'
import { listMessages } from '#contract/messages.ts'
import { log } from './conversation.ts'
import { type Account, cutSockets, expect, expectAccessible, long, type Member, test } from './fixtures.ts'
import { photo, storedPhotos, textFile } from './photos.ts'

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
  await log(bob.page).getByRole('button', { name: 'Show photo 1 of 2 full screen' }).click()
  const own = bob.page.getByRole('dialog', { name: 'Your photos' })
  await expect(own.getByRole('button', { name: 'Close' })).toHaveCSS('cursor', 'pointer')
  await expectAccessible(bob.page)
  await bob.page.keyboard.press('Escape')
  await expect(own).toBeHidden()

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

  await choose(bob.page, small)
  await send(bob.page).click()
  const announcement = ann.page.getByRole('status').filter({ hasText: `${bob.username}:` })
  await expect(announcement).toHaveText(`${bob.username}: Photo`)
})

/** Makes uploads fail until the returned function is called. */
async function interruptUploads({ page, allowErrors }: Member) {
  allowErrors('Failed to load resource', '/api/images net::ERR_FAILED')
  // On the context, because `page.route` of the fixtures turns the cookie off, which photos need.
  await page.context().route('**/api/images', (route) => route.abort())
  return () => page.context().unroute('**/api/images')
}

/** Returns the texts and the numbers of photos of the messages that Ann has from Bob. */
async function received(ann: Account, bob: Account) {
  const messages = await ann.actor.call(listMessages, { params: { id: bob.actor.id }, query: {} })
  return messages.map(({ content, images }) => [content, images.length])
}

/** Sends a message with a photo whose upload fails, so that it stays unsent. */
async function postPhoto(page: Page, receiver: Account) {
  await page.goto(`/messages/${receiver.actor.id}`)
  await expect(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
  await choose(page, await photo({ width: 320, height: 240 }))
  await expect(chosen(page)).toHaveCount(1)
  await page.getByPlaceholder('Type a message…').fill('Look at these')
  await send(page).click()
  await expect(log(page).getByText('Waiting for a connection')).toBeVisible()
}

test('a message waits for the upload of its photo, also over a reload, and arrives once', async ({
  world,
}) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { page } = bob
  const resumeUploads = await interruptUploads(bob)
  await postPhoto(page, ann)
  await expect(log(page).getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await expect.poll(async () => (await storedPhotos(page)).files).toBe(1)

  await page.reload()
  await expect(log(page).getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await resumeUploads()
  await expectLoadedPhotos(page, 1)
  expect(await received(ann, bob)).toEqual([['Look at these', 1]])
  await expect.poll(() => storedPhotos(page)).toEqual({ descriptions: [], files: 0 })
})

test('an unsent message with a photo that two tabs restore arrives once', async ({ world }) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { page } = bob
  const resumeUploads = await interruptUploads(bob)
  await postPhoto(page, ann)
  await expect.poll(async () => (await storedPhotos(page)).files).toBe(1)
  const tab = await page.context().newPage()
  await tab.goto(`/messages/${ann.actor.id}`)
  await expect(log(tab).getByRole('img', { name: 'Photo 1' })).toBeVisible()

  await resumeUploads()
  for (const each of [page, tab]) {
    await expectLoadedPhotos(each, 1)
    await expect(log(each).getByText(/Sending|Waiting for a connection|Not sent/)).toHaveCount(0)
  }
  const outbox = () => tab.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith(':outbox')))
  await expect.poll(outbox).toEqual([])
  expect(await received(ann, bob)).toEqual([['Look at these', 1]])
  await tab.close()
})

/** Restores an unsent message with a photo in a second tab, where `interrupt` cuts the tab off from a part of the server. */
async function restoredInTwoTabs(bob: Member, ann: Account, interrupt: (tab: Page) => Promise<unknown>) {
  const { page } = bob
  const resumeUploads = await interruptUploads(bob)
  await postPhoto(page, ann)
  await expect.poll(async () => (await storedPhotos(page)).files).toBe(1)
  const tab = await page.context().newPage()
  await interrupt(tab)
  await tab.goto(`/messages/${ann.actor.id}`)
  await expect(log(tab).getByRole('img', { name: 'Photo 1' })).toBeVisible()
  return { page, tab, resumeUploads }
}

test('a tab without a socket drops the photo message that another tab has sent', long, async ({ world }) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  bob.allowErrors('409')
  const { page, tab, resumeUploads } = await restoredInTwoTabs(bob, ann, (tab) =>
    cutSockets(tab, 'refuses connections'),
  )
  await expect(log(tab).getByText('Waiting for a connection')).toBeVisible()
  // The second tab sends the message only when the first one has sent it.
  await tab.route('**/api/images', (route) => route.abort())
  await resumeUploads()
  await expectLoadedPhotos(page, 1)
  const refused = tab.waitForResponse((response) => response.status() === 409)
  await tab.unroute('**/api/images')
  await refused
  await expectLoadedPhotos(tab, 1)
  await expect(log(tab).getByText(/Sending|Waiting for a connection|Not sent/)).toHaveCount(0)
  expect(await received(ann, bob)).toEqual([['Look at these', 1]])
  await tab.close()
})

test('a tab that uploads a photo stops when the socket reports that another tab has sent it', async ({
  world,
}) => {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  const { promise: uploading, resolve: upload } = Promise.withResolvers<void>()
  const { page, tab, resumeUploads } = await restoredInTwoTabs(bob, ann, (tab) =>
    tab.route('**/api/images', () => upload()),
  )
  await uploading
  // Sooner than the browser gives up an upload without progress.
  const aborted = tab.waitForEvent('requestfailed', {
    predicate: (request) => request.url().endsWith('/api/images'),
    timeout: 30_000,
  })
  await resumeUploads()
  expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
  for (const each of [page, tab]) await expectLoadedPhotos(each, 1)
  await expect(log(tab).getByText(/Sending|Waiting for a connection|Not sent/)).toHaveCount(0)
  expect(await received(ann, bob)).toEqual([['Look at these', 1]])
  await tab.close()
})

const refuse = (route: Route) => route.abort('connectionrefused')

for (const [server, interrupt, details] of [
  ['refuses connections', refuse, {}],
  ['does not answer', () => undefined, long],
] as const)
  test(
    `while the server ${server}, messages wait, and are removed or sent again`,
    details,
    async ({ world }) => {
      const [ann, bob] = [await world.account('ann'), await world.member('bob')]
      const { page } = bob
      const context = page.context()
      bob.allowErrors('ERR_CONNECTION_REFUSED', '/socket.io/')
      await cutSockets(page, server)
      await page.goto(`/messages/${ann.actor.id}`)
      await expect(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
      await context.route('**/api/**', interrupt)
      const waiting = log(page).getByText('Waiting for a connection')
      const sendPhoto = async (text: string) => {
        await choose(page, await photo({ width: 320, height: 240 }))
        await page.getByPlaceholder('Type a message…').fill(text)
        await send(page).click()
      }
      await sendPhoto('A photo to remove')
      await expect(waiting).toHaveCount(1)
      if (interrupt === refuse) await expectAccessible(page)
      await log(page).getByRole('button', { name: 'Remove' }).click()
      await expect(log(page)).not.toContainText('A photo to remove')
      await expect.poll(() => storedPhotos(page)).toEqual({ descriptions: [], files: 0 })

      await sendPhoto('A photo to send')
      await page.getByPlaceholder('Type a message…').fill('A text to send')
      await send(page).click()
      await expect(waiting).toHaveCount(2)
      expect(await page.evaluate(() => navigator.onLine)).toBe(true)

      await context.unroute('**/api/**', interrupt)
      // A click would wait for a stable layout, and the page sends the messages again by itself meanwhile.
      await log(page).getByRole('button', { name: 'Try again' }).first().dispatchEvent('click')
      await expectLoadedPhotos(page, 1)
      await expect(log(page).getByText(/Sending|Waiting for a connection|Not sent/)).toHaveCount(0)
      const sent = [
        ['A photo to send', 1],
        ['A text to send', 0],
      ]
      expect(await received(ann, bob)).toEqual(sent)
      await page.reload()
      await expectLoadedPhotos(page, 1)
      expect(await received(ann, bob)).toEqual(sent)
    },
  )
