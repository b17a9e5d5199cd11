import type { Page } from '@playwright/test'
import { categories } from '#contract/constants.ts'
import { requestFriend } from '#contract/friends.ts'
import { createWant } from '#contract/wants.ts'
import { expect, long, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { photo } from './photos.ts'
import { createSampleData, say } from './sample-data.ts'

// Each test opens many screens.
test.describe.configure({ timeout: 180_000 })

const title = (page: Page, name?: string) => page.getByRole('heading', { level: 1, ...(name && { name }) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test.use({ viewport: { width: 1280, height: 900 }, isMobile: false })

test('a visitor registers, posts, edits and deletes a listing with the keyboard alone', async ({ world }) => {
  const { page } = await world.visitor()
  const keys = new Keyboard(page)
  const username = world.uniqueName('marta')
  await page.goto('/login')
  // Before hydration a link loads a page, and nothing is focused.
  await expect(page.getByLabel('Email')).toBeEditable()
  await keys.activate(link(page, 'Register'))
  await expect(title(page, 'Register')).toBeFocused()
  await keys.activate(button(page, 'Register'))
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.keyboard.insertText('Marta')
  await keys.fill(page.getByLabel('Last name'), 'Oduya')
  await keys.fill(page.getByLabel('Username'), username)
  await keys.fill(page.getByLabel('Email'), `${username}@example.com`)
  await keys.fill(page.getByLabel('Password', { exact: true }), 'plum-crumble-42')
  await keys.fill(page.getByLabel('Confirm password'), 'plum-crumble-42')
  await keys.press('Enter')

  await expect(title(page, `Hello ${username}`)).toBeFocused()
  const chosen = page.waitForEvent('filechooser')
  await keys.activate(page.getByLabel('Add a photo'))
  await (await chosen).setFiles(await photo({ width: 400, height: 400 }))
  await keys.activate(button(page, 'Remove'))
  await expect(page.getByLabel('Add a photo')).toBeFocused()
  await keys.fill(page.getByLabel('City'), 'Portland')
  await keys.fill(page.getByLabel('State'), 'OR')
  await keys.fill(page.getByLabel('Postcode'), '97214')
  await keys.activate(button(page, 'Next >'))

  await expect(title(page, 'new listing')).toBeFocused()
  const another = page.waitForEvent('filechooser')
  await keys.activate(page.getByLabel('Photos'))
  await (await another).setFiles(await photo({ width: 400, height: 400 }))
  await keys.activate(button(page, 'Remove photo 1'))
  await expect(page.getByLabel('Photos')).toBeFocused()
  await keys.tabTo(page.getByRole('radio', { name: 'produce' }))
  await keys.press('ArrowRight', 'ArrowRight')
  await expect(page.getByRole('radio', { name: 'plants' })).toBeChecked()
  await keys.fill(page.getByLabel('Item name'), 'Strawberry runners')
  await keys.tabTo(page.getByLabel('Type'))
  await keys.press('ArrowDown', 'ArrowDown')
  await expect(page.getByLabel('Type')).toHaveValue('3')
  await keys.activate(button(page, 'Description (optional)'))
  await keys.fill(page.getByLabel('Description'), 'Six of them.')
  await keys.tabTo(page.getByLabel('publish the post to public'))
  await keys.press('Space')
  await keys.activate(button(page, 'post'))

  await expect(title(page, 'my lists')).toBeFocused()
  await expect(page.getByRole('status').getByText('listings: 1')).toBeAttached()
  await keys.tabTo(page.getByRole('switch'))
  await keys.press('Space')
  await expect(page.getByRole('switch')).toBeChecked()
  await expect(page.getByRole('switch')).toBeFocused()
  await keys.tabTo(link(page, 'Strawberry runners'), 'Shift+Tab')
  await keys.press('Enter')

  await expect(title(page, 'Strawberry runners')).toBeFocused()
  await keys.activate(link(page, 'edit'))
  await expect(title(page, 'edit listing')).toBeFocused()
  await keys.fill(page.getByLabel('Item name'), '')
  await keys.press('Enter')
  await expect(page.getByLabel('Item name')).toBeFocused()
  await expect(page.getByLabel('Item name')).toHaveAccessibleDescription('Title is required')
  await page.keyboard.insertText('Strawberry plants')
  await keys.press('Enter')

  // A save goes back, to the link that was followed.
  await expect(title(page, 'Strawberry plants')).toBeVisible()
  await expect(link(page, 'edit')).toBeFocused()
  await keys.activate(button(page, 'delete'))
  const dialog = page.getByRole('dialog', { name: 'delete this listing?' })
  await expect(dialog.getByRole('button', { name: 'cancel' })).toBeFocused()
  // The focus stays within the dialog, and Escape closes it.
  for (const name of ['delete', 'Close', 'cancel', 'delete'])
    await keys.tabTo(dialog.getByRole('button', { name }))
  await keys.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button(page, 'delete')).toBeFocused()
  await keys.press('Enter')
  await keys.activate(dialog.getByRole('button', { name: 'delete' }))
  await expect(title(page, 'my lists')).toBeFocused()
  await expect(page.getByRole('main').getByText('No listings found.')).toBeVisible()

  await page.goto('/')
  const masthead = page.getByRole('navigation', { name: 'Account' })
  await keys.activate(masthead.getByRole('button', { name: 'Logout' }))
  await expect(masthead.getByRole('link', { name: 'Login' })).toBeFocused()
})

test('a member skips to the content, deletes a want and answers requests with the keyboard alone', async ({
  world,
}) => {
  const [ann, cat, dan] = [await world.member('ann'), await world.account('cat'), await world.account('dan')]
  const { page, actor } = ann
  await actor.call(createWant, { body: { title: 'Skirret', category_id: categories.produce } })
  for (const asker of [cat, dan]) await asker.actor.call(requestFriend, { body: { friend_id: actor.id } })
  const keys = new Keyboard(page)

  await page.goto('/my-listings')
  await expect(link(page, 'New listing').first()).toBeVisible()
  await keys.activate(link(page, 'Skip to content'))
  await expect(page.getByRole('main')).toBeFocused()
  await keys.tabTo(link(page, 'New listing').first())

  // A deleted want moves the focus to the next one.
  await page.goto('/post-want')
  await keys.activate(button(page, 'add to produce'))
  await expect(page.getByRole('textbox', { name: 'produce, item 2' })).toBeFocused()
  await page.keyboard.insertText('Medlars')
  // Enter adds another item, and saves if the item is empty.
  await keys.press('Enter')
  await expect(page.getByRole('textbox', { name: 'produce, item 3' })).toBeFocused()
  await keys.press('Enter')
  await expect(title(page, 'my lists')).toBeFocused()
  await keys.activate(button(page, 'Delete Medlars'))
  await expect(button(page, 'Delete Skirret')).toBeFocused()

  // Ann has two friend requests. Cancelling the first moves the focus to the second.
  await keys.tabTo(page.getByRole('link', { name: /Notifications$/ }), 'Shift+Tab')
  await keys.press('Enter')
  await expect(title(page, 'notifications')).toBeFocused()
  const request = page.getByRole('link', { name: `${dan.username} would like to be your friend` })
  await keys.activate(request)
  await expect(title(page, 'my friends')).toBeFocused()
  await page.goBack()
  await expect(request).toBeFocused()
  await page.goForward()
  await expect(title(page, 'my friends')).toBeFocused()
  await keys.activate(button(page, `cancel the request of ${dan.username}`))
  await expect(link(page, cat.username)).toBeFocused()
  await keys.activate(button(page, `accept the request of ${cat.username}`))
  await expect(title(page, 'my friends')).toBeFocused()
})

test(
  'a member searches, dismisses a match, writes and logs out with the keyboard alone',
  long,
  async ({ world }) => {
    const { ann, bob, cat } = await createSampleData(world)
    const dan = await world.account('dan')
    const { page } = await world.visitor()
    const keys = new Keyboard(page)

    await page.goto('/my-listings')
    await keys.activate(button(page, 'Login'))
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.keyboard.insertText(ann.email)
    await keys.fill(page.getByLabel('Password'), ann.password)
    await keys.press('Enter')
    await expect(title(page, 'my lists')).toBeFocused()

    // The marketplace: tabs, search and filter.
    await keys.tabTo(link(page, 'marketplace'), 'Shift+Tab')
    await keys.press('Enter')
    await expect(title(page, 'marketplace')).toBeFocused()
    await keys.activate(link(page, "Friend's"))
    await expect(link(page, "Friend's")).toBeFocused()
    await keys.fill(page.getByRole('searchbox', { name: 'Search listings' }), 'roots')
    await expect(page).toHaveURL(/q=roots/)
    await expect(page.getByRole('status').getByText('listings: 1')).toBeAttached()
    await keys.activate(button(page, 'Clear the search'))
    await expect(page.getByRole('searchbox')).toBeFocused()
    await keys.tabTo(button(page, 'Filter'))
    await keys.press('Enter')
    const filter = page.getByRole('dialog', { name: 'Filter listings' })
    await expect(filter.getByRole('radio', { name: 'newest' })).toBeFocused()
    await keys.tabTo(filter.getByRole('button', { name: 'sell' }))
    await keys.press('Space')
    await keys.fill(filter.getByLabel('max'), '20')
    await keys.press('Enter')
    await expect(page.getByRole('button', { name: 'Filter (2)' })).toBeFocused()
    await expect(page.getByRole('link', { name: 'Tomatoes' })).toBeVisible()
    await keys.activate(page.getByRole('link', { name: 'Tomatoes' }))
    await expect(title(page, 'Tomatoes')).toBeFocused()
    await keys.fill(page.getByRole('textbox', { name: `Message to ${bob.username}` }), 'Are they ripe?')
    await keys.press('Enter')
    await expect(page.getByRole('log')).toContainText('Are they ripe?')

    await page.goto('/my-listings?tab=want')
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await keys.activate(page.getByRole('link', { name: /1 listing fits/ }))
    await expect(title(page, 'matches')).toBeFocused()
    await keys.activate(button(page, 'not this Skirret roots'))
    await expect(page.getByRole('main').getByText('Nothing fits')).toBeVisible()
    await expect(title(page, 'matches')).toBeFocused()

    await page.goto('/myfriends')
    await keys.activate(button(page, 'Share your profile with a link'))
    await expect(page.getByLabel('Your link')).toBeFocused()
    await keys.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button(page, 'Share your profile with a link')).toBeFocused()

    // The profile of another member.
    await page.goto(`/seller/${dan.actor.id}`)
    await keys.activate(button(page, 'Add friend'))
    await keys.activate(page.getByRole('dialog', { name: 'Invitation' }).getByRole('button', { name: 'ok!' }))
    await expect(button(page, 'Cancel friend request')).toBeFocused()
    await keys.activate(button(page, 'block'))
    await keys.activate(page.getByRole('dialog').getByRole('button', { name: 'block' }))
    await expect(button(page, `unblock ${dan.username}`)).toBeVisible()
    await expect(title(page)).toBeFocused()

    // The conversation can be focused to scroll it. Only new messages are announced.
    await page.goto('/messages')
    await keys.activate(page.getByRole('link', { name: cat.username }))
    await expect(title(page, `Chat with ${cat.username}`)).toBeFocused()
    await expect(page.getByRole('log')).toContainText('Good morning')
    await keys.tabTo(page.getByRole('log'))
    await keys.tabTo(page.getByRole('textbox', { name: `Message to ${cat.username}` }))
    await page.keyboard.insertText('Good morning to you')
    await keys.press('Enter')
    await expect(page.getByRole('log')).toContainText('Good morning to you')
    await expect(page.getByRole('textbox')).toBeFocused()
    const announcement = page.getByRole('status').filter({ hasText: `${cat.username}:` })
    await expect(announcement).toHaveCount(0)
    await say(cat, ann, 'And a nice day')
    await expect(announcement).toHaveText(`${cat.username}: And a nice day`)

    await page.goto('/profile')
    await keys.activate(button(page, 'delete my profile'))
    await expect(page.getByLabel('Password')).toBeFocused()
    await keys.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button(page, 'delete my profile')).toBeFocused()
    await keys.tabTo(button(page, 'Log out'), 'Shift+Tab')
    await keys.press('Enter')
    await expect(title(page, 'Login')).toBeFocused()
  },
)
