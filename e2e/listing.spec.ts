import type { Locator } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { deleteListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { desktop, expect, expectAccessible, phone, test } from './fixtures.ts'
import { card, holdLists, list, newFriends } from './market.ts'

test.describe('a listing', () => {
  test('without a photo shows a drawing of its crop, and texts for all that is missing', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons', category_id: categories.produce })
    const { page } = await world.member('bob')
    await page.goto(`/listings/${id}`)
    await expect(page.getByRole('main').locator('article img').first()).toHaveAttribute(
      'src',
      /lemon.*\.svg$/,
    )
    await expect(page.getByText('No description provided')).toBeVisible()
    await expect(page.getByText('Location not provided')).toBeVisible()
    await expect(page.getByText(`No. ${id}`)).toBeVisible()

    await page.route(`**/api/listings/${id}`, async (route) => {
      const listing = await (await route.fetch()).json()
      await route.fulfill({ json: { ...listing, owner_username: '' } })
    })
    await page.reload()
    await expect(page.getByText('Unknown user').first()).toBeVisible()
  })

  test('shows the link to write to its owner without scrolling, in every window size', async ({ world }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons', type_id: types.sell, price: 4 })
    const { page, actor } = await world.member('bob')
    const write = page.getByRole('link', { name: `Write to ${ann.username}` })
    const photo = page.getByRole('main').locator('article img').first()
    await page.goto(`/listings/${id}`)
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [820, 1180],
      [640, 450],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(write).toBeInViewport({ ratio: 1 })
      const { height: shown = height } = (await photo.boundingBox()) ?? {}
      expect(shown, `${width} × ${height}`).toBeLessThanOrEqual(height * 0.6)
    }
    // The bar with the link does not cover a control that is scrolled to the lower edge.
    const seller = page.getByRole('link', { name: ann.username, exact: true })
    await seller.evaluate((link) => link.scrollIntoView({ block: 'end' }))
    const [sellerBox, writeBox] = [await seller.boundingBox(), await write.boundingBox()]
    expect((sellerBox?.y ?? 0) + (sellerBox?.height ?? 0)).toBeLessThanOrEqual(writeBox?.y ?? 0)
    await write.click()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeFocused()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeInViewport()

    // However long the conversation is.
    for (let nth = 0; nth < 12; nth += 1)
      await ann.actor.call(sendMessage, {
        body: { receiver_id: actor.id, content: `${nth} lemons are left` },
      })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/listings/${id}`)
    await expect(page.getByText('11 lemons are left')).toBeAttached()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeInViewport({ ratio: 1 })
    await expect(write).toBeHidden()
    await expect(page.getByLabel(`Message to ${ann.username}`)).toBeVisible()
  })

  test('is shared by its link or by the Web Share API, and the dialog shows when the link can not be copied', async ({
    world,
  }) => {
    const ann = await world.account('ann')
    const { id } = await list(ann, { title: 'Meyer lemons' })
    const { page } = await world.member('bob')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/listings/${id}`)
    const share = page.getByRole('button', { name: 'share' })
    await share.click()
    const dialog = page.getByRole('dialog')
    const link = new URL(`/listings/${id}`, page.url()).href
    await expect(dialog.getByRole('textbox')).toHaveValue(link)
    // This browser has no Web Share API.
    await expect(dialog.getByRole('button', { name: 'Send with an app' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(share).toBeFocused()

    await share.click()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'))
    })
    await share.click()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(dialog).toContainText('Failed to copy link to clipboard')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.evaluate(() => {
      navigator.share = async ({ url }: ShareData = {}) => {
        if (document.body.hasAttribute('data-shared')) throw new DOMException('Closed', 'AbortError')
        document.body.setAttribute('data-shared', url ?? '')
      }
    })
    await share.click()
    await dialog.getByRole('button', { name: 'Send with an app' }).click()
    await expect(page.locator('body')).toHaveAttribute('data-shared', link)
    // Closing the share sheet returns to the dialog.
    await dialog.getByRole('button', { name: 'Send with an app' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })

  test('redirects to Page Not Found when it does not exist', async ({ world }) => {
    const ann = await world.account('ann')
    const { page, allowErrors } = await world.member('bob')
    allowErrors('404')
    const { id: gone } = await list(ann, { title: 'Meyer lemons' })
    await page.goto(`/seller/${ann.actor.id}`)
    await expect(card(page, 'Meyer lemons')).toBeVisible()
    await holdLists(page)
    await ann.actor.call(deleteListing, { params: { id: gone } })
    await card(page, 'Meyer lemons').click()
    await expect(page).toHaveURL('/not-found')
    for (const id of ['zucchini', '0']) {
      await page.goto(`/listings/${id}`)
      await expect(page).toHaveURL('/not-found')
      await expect(page.getByText('Page Not Found')).toBeVisible()
    }
  })
})

test('a right-to-left title and description are aligned to the right', async ({ world }) => {
  const [ann, bob] = await newFriends(world)
  const title = 'עגבניות'
  const description = 'טעימות'
  const { id } = await list(ann, { title, description })
  /** Returns the distances in pixels of a text from the right and the left of its box. */
  const gaps = (text: Locator) =>
    text.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const [box, words] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
      return { right: Math.round(box.right - words.right), left: Math.round(words.left - box.left) }
    })
  const { page } = bob
  await page.goto(`/listings/${id}`)
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    for (const words of [
      page.getByRole('heading', { level: 1, name: title }),
      page.getByText(description, { exact: true }),
    ]) {
      const { right, left } = await gaps(words)
      expect(right).toBe(0)
      expect(left).toBeGreaterThan(50)
    }
  }
  await page.goto(`/seller/${ann.actor.id}`)
  const heading = page.getByRole('heading', { level: 2, name: title })
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    expect((await gaps(heading)).right).toBe(0)
  }
})
