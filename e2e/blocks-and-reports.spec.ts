import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember, listBlocks } from '#contract/members.ts'
import { type Account, desktop, expect, expectAccessible, type Member, test } from './fixtures.ts'
import { say } from './sample-data.ts'
import { closeDialog, expectClosed } from './screens.ts'

test('a member blocks and unblocks another, but not themselves', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann

  await test.step('the profile lists the blocked members and unblocks them', async () => {
    await page.goto('/profile/edit')
    await expect(page.getByRole('heading', { name: 'edit my profile' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'blocked members' })).toBeHidden()

    await ann.actor.call(blockMember, { params: { id: bob.actor.id } })
    await page.reload()
    const blocked = page.getByRole('region', { name: 'blocked members' })
    await expect(blocked.getByRole('link', { name: bob.username })).toHaveAttribute(
      'href',
      `/seller/${bob.actor.id}`,
    )
    await blocked.getByRole('button', { name: `unblock ${bob.username}` }).click()
    await expect(blocked).toBeHidden()
    expect(await ann.actor.call(listBlocks)).toEqual([])
  })

  await test.step('members can not block or report themselves', async () => {
    const listing = await giveAway(ann)
    await page.goto(`/seller/${ann.actor.id}`)
    await expect(page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
    await expect(page.getByRole('button', { name: /block|report/ })).toHaveCount(0)

    await page.goto(`/listings/${listing.id}`)
    await expect(page.getByRole('button', { name: 'share' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'report' })).toHaveCount(0)
  })

  await test.step('a member blocks another after a confirmation dialog, sees when that fails, and unblocks them', async () => {
    ann.allowErrors('Failed to load resource')
    await page.goto(`/seller/${bob.actor.id}`)
    await expect(page.getByRole('button', { name: 'block', exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'block', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'block this member?' })
    await expect(dialog).toContainText(`${bob.username} can no longer write to you`)
    await dialog.getByRole('button', { name: 'cancel' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await ann.actor.call(listBlocks)).toEqual([])

    const refusal = { status: 503, json: { detail: 'Back at noon.' } }
    await page.route('**/api/auth/blocks/*', (route) => route.fulfill(refusal), { times: 1 })
    await page.getByRole('button', { name: 'block', exact: true }).click()
    await dialog.getByRole('button', { name: 'block' }).click()
    await expect(page.getByRole('alert')).toHaveText('Back at noon.')
    await dialog.getByRole('button', { name: 'block' }).click()
    await expect(page.getByText(`${bob.username} is blocked`)).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await ann.actor.call(listBlocks)).toMatchObject([{ id: bob.actor.id }])

    await page.route('**/api/auth/blocks/*', (route) => route.fulfill(refusal), { times: 1 })
    await page.getByRole('button', { name: `unblock ${bob.username}` }).click()
    await expect(page.getByText('Back at noon.')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(`${bob.username} is no longer blocked`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'block', exact: true })).toBeVisible()
    expect(await ann.actor.call(listBlocks)).toEqual([])
  })

  await test.step('Back closes a dialog that was opened after another was closed by Back', async () => {
    await page.getByRole('button', { name: 'block', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goBack()
    await expectClosed(page)
    await page.getByRole('button', { name: 'Add friend' }).click()
    await expect(page.getByRole('dialog', { name: 'Invitation' })).toBeVisible()
    await page.goBack()
    await expectClosed(page)
    await expect(page).toHaveURL(`/seller/${bob.actor.id}`)
    await page.goBack()
    await expect(page).not.toHaveURL(`/seller/${bob.actor.id}`)
  })
})

test('a member reports another member or a listing with a reason, and support gets a mail', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const listing = await giveAway(bob)
  await ann.page.goto(`/seller/${bob.actor.id}`)
  await ann.page.getByRole('button', { name: 'report' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'send' }).click()
  const reason = ann.page.getByLabel('What is wrong?')
  await expect(reason).toHaveAccessibleDescription('Please say what is wrong')
  await expect(reason).toBeFocused()
  await reason.fill('Selling')
  await closeDialog(ann.page)
  await ann.page.getByRole('button', { name: 'report' }).click()
  await expect(reason).toHaveValue('Selling')
  // The dialog is in the page before it is open.
  await expect(reason).toBeFocused()
  await closeDialog(ann.page)
  await reportFrom(ann, 'report this member')
  await expectClosed(ann.page)
  await ann.page.getByRole('button', { name: 'report' }).click()
  await expect(reason).toHaveValue('')
  const mail = await world.mailTo('hello@rhubarb.example', bob.username)
  expect(mail.text).toContain(`Selling plastic tomatoes, says ${ann.username}`)

  await ann.page.goto(`/listings/${listing.id}`)
  await reportFrom(ann, 'report this listing')
})

test('a conversation has menus that report a message, report the member and block the member', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  await say(bob, ann, 'Plastic tomatoes, real price')
  await say(bob, ann, 'Are you there?')
  await say(ann, bob, 'No')
  await page.goto(`/messages/${bob.actor.id}`)
  const messages = page.getByRole('log')
  await expect(messages.getByText('Plastic tomatoes')).toBeVisible()

  // Own messages have no menu.
  const menus = messages.getByRole('button', { name: 'Message menu' })
  await expect(menus).toHaveCount(2)
  // Each is named by its message.
  await expect(
    messages.getByRole('button', { name: 'Message menu: Are you there?', exact: true }),
  ).toHaveCount(1)
  const menu = messages.getByRole('group', {
    name: 'Message menu: Plastic tomatoes, real price',
    exact: true,
  })
  const size = page.viewportSize() ?? desktop
  for (const each of [desktop, size]) {
    await page.setViewportSize(each)
    // The touch target extends beyond the button.
    await menus.first().click({ position: { x: -5, y: 16 } })
    await expect(menu).toBeInViewport({ ratio: 1 })
    if (each === size) await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
  }
  await menus.first().click()
  await menu.getByRole('button', { name: 'report' }).click()
  const dialog = page.getByRole('dialog', { name: 'report this message' })
  await dialog.getByLabel('What is wrong?').fill('He sells plastic')
  await dialog.getByRole('button', { name: 'send' }).click()
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible()
  const mail = await world.mailTo('hello@rhubarb.example', 'He sells plastic')
  expect(mail.text).toContain('Plastic tomatoes, real price')

  const moreButton = page.getByRole('main').getByRole('button', { name: 'More' })
  for (const each of [desktop, size]) {
    await page.setViewportSize(each)
    await moreButton.click()
    await expect(page.getByRole('group', { name: 'More' })).toBeInViewport({ ratio: 1 })
    if (each === size) await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('group', { name: 'More' })).toHaveCount(0)
  }
  await moreButton.click()
  await page.getByRole('group', { name: 'More' }).getByRole('button', { name: 'report' }).click()
  await expect(page.getByRole('dialog', { name: 'report this member' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await moreButton.click()
  await page.getByRole('group', { name: 'More' }).getByRole('button', { name: 'block' }).click()
  const blocking = page.getByRole('dialog', { name: 'block this member?' })
  await blocking.getByRole('button', { name: 'block' }).click()
  await expect(page.getByText('You have blocked this member.')).toBeVisible()
  expect(await ann.actor.call(listBlocks)).toMatchObject([{ id: bob.actor.id }])
  await moreButton.click()
  await expect(page.getByRole('group', { name: 'More' }).getByRole('button')).toHaveText(['report'])
})

test.describe('with a mouse', () => {
  test.use({ viewport: desktop, hasTouch: false, isMobile: false })

  test('the menu of a message shows while the pointer is over the message', async ({ world }) => {
    const [ann, bob] = [await world.member('ann'), await world.account('bob')]
    const { page } = ann
    await say(bob, ann, 'Plastic tomatoes, real price')
    await page.goto(`/messages/${bob.actor.id}`)
    const messages = page.getByRole('log')
    const menu = messages.getByRole('button', { name: 'Message menu' })
    await expect(menu).toHaveCSS('opacity', '0')
    await messages.getByText('Plastic tomatoes').hover()
    await expect(menu).toHaveCSS('opacity', '1')
    await menu.click()
    await expect(messages.getByRole('group', { name: 'Message menu' })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  })
})

test('the message menus are one tab stop, and arrow keys move between them unless a menu is open', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  for (const text of ['One', 'Two', 'Three']) await say(bob, ann, text)
  await page.goto(`/messages/${bob.actor.id}`)
  const menus = page.getByRole('log').getByRole('button', { name: 'Message menu' })
  await expect(menus).toHaveCount(3)
  await page.getByLabel(`Message to ${bob.username}`).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(menus.nth(2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(menus.nth(0)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const copy = page.getByRole('log').getByRole('button', { name: 'copy' })
  await expect(copy).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(menus.nth(1)).toBeFocused()
  await page.evaluate(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      value: async (text: string) => document.documentElement.setAttribute('data-copied', text),
    })
  })
  await page.keyboard.press('Tab')
  await expect(copy).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(copy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Message copied')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-copied', 'Two')
  await expect(menus.nth(1)).toBeFocused()
})

test("a block removes the member's listings from the lists at once, and an unblock restores them", async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  // A unique word, so the search finds nothing else.
  const title = `Plastic${crypto.randomUUID().replaceAll('-', '')}`
  await bob.actor.call(createListing, {
    body: { title, type_id: types.giveaway, category_id: categories.produce },
  })
  const card = page.getByRole('link', { name: title })
  await page.goto(`/listings?q=${encodeURIComponent(title)}`)
  await card.click()
  // The marketplace has a link with the member's name too, so wait for the listing's page.
  await expect(page).toHaveURL(/\/listings\/\d+$/)
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
  await page.getByRole('link', { name: bob.username }).first().click()
  await page.getByRole('button', { name: 'block', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'block' }).click()
  await expect(page.getByRole('main').getByText('No items')).toBeVisible()
  await expectClosed(page)
  // Goes back two entries at once: the listing between them answers 404 now.
  await page.evaluate(() => history.go(-2))
  await expect(page.getByRole('main').getByText('Nothing here fits what you look for.')).toBeVisible()
  await expect(card).toHaveCount(0)
  await page.evaluate(() => history.go(2))
  await page.getByRole('button', { name: `unblock ${bob.username}` }).click()
  await expect(card).toBeVisible()
})

async function reportFrom({ page, username }: Member, title: string) {
  await page.getByRole('button', { name: 'report' }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel('What is wrong?').fill(`Selling plastic tomatoes, says ${username}`)
  await dialog.getByRole('button', { name: 'send' }).click()
  await expect(page.getByText('Thank you. We will look at it.')).toBeVisible()
  await expect(dialog).toBeHidden()
}

function giveAway({ actor }: Account) {
  const body = { title: 'Plastic tomatoes', type_id: types.giveaway, category_id: categories.produce }
  return actor.call(createListing, { body })
}
