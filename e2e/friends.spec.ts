import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { listFriendRequests, removeFriend, requestFriend } from '#contract/friends.ts'
import { getInvitationLink, invitationMessages } from '#contract/invitations.ts'
import { updateProfile } from '#contract/profile.ts'
import { type Account, expect, expectAccessible, openTab, type Person, test } from './fixtures.ts'
import { befriend } from './sample-data.ts'

function requestFriendship({ actor }: Account, receiver: Account) {
  return actor.call(requestFriend, { body: { friend_id: receiver.actor.id } })
}

/** The link to the notifications. */
const bell = ({ page }: Person) => page.getByRole('link', { name: 'Notifications' })

const profileOf = (member: Account) => `/seller/${member.actor.id}`

test('two members become friends and end the friendship, and each sees every step at once', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  await bob.page.goto('/profile')
  await expect(bob.page.getByRole('link', { name: '0 friends' })).toBeVisible()

  await ann.page.goto(profileOf(bob))
  await ann.page.getByRole('button', { name: 'Add friend' }).click()
  const invitation = ann.page.getByRole('dialog', { name: 'Invitation' })
  await expect(invitation).toContainText('Your connection request was sent!')
  // A second press of Enter must not cancel the request.
  await expect(invitation.getByRole('button', { name: 'ok!' })).toBeFocused()
  await expectAccessible(ann.page)
  await invitation.getByRole('button', { name: 'ok!' }).click()
  await expect(invitation).toBeHidden()
  await expect(ann.page.getByRole('button', { name: 'Cancel friend request' })).toBeFocused()

  await expect(bell(bob)).toContainText('1 unread')
  await bob.page.getByRole('link', { name: '0 friends' }).click()
  await expect(bob.page.getByRole('main').getByText('No friends yet.')).toBeVisible()
  await bob.page.getByRole('link', { name: '1 pending invitation' }).click()
  await expect(bob.page.getByRole('link', { name: ann.username })).toBeVisible()
  await expect(bell(bob)).not.toContainText('unread')
  await bob.page.getByRole('button', { name: 'accept' }).click()
  await expect(bob.page.getByText(`You and ${ann.username} are friends now`)).toBeVisible()
  await expect(bob.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()
  await bob.page.getByRole('link', { name: '< Back to friend list' }).click()
  await expect(bob.page.getByRole('link', { name: ann.username })).toHaveAttribute('href', profileOf(ann))
  await expect(bob.page.getByText('1 friend', { exact: true })).toBeVisible()

  await expect(ann.page.getByText('1 friend', { exact: true })).toBeVisible()
  await ann.page.getByRole('button', { name: 'Remove friend' }).click()
  const removal = ann.page.getByRole('dialog', { name: 'Remove Friend' })
  await expect(removal).toContainText('Are you sure you want to remove from your friends list?')
  await removal.getByRole('button', { name: 'cancel' }).click()
  await expect(ann.page.getByRole('button', { name: 'Remove friend' })).toBeFocused()
  await ann.page.getByRole('button', { name: 'Remove friend' }).click()
  await removal.getByRole('button', { name: 'remove' }).click()
  await expect(ann.page.getByRole('button', { name: 'Add friend' })).toBeVisible()
  await expect(bob.page.getByRole('main').getByText('No friends yet.')).toBeVisible()
})

test('both members see a friend request being cancelled, declined, accepted too late and answered by another', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  await bob.page.goto('/myfriends?view=invitations')
  await expect(bob.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()
  await ann.page.goto(profileOf(bob))

  await ann.page.getByRole('button', { name: 'Add friend' }).click()
  await expect(bob.page.getByRole('link', { name: ann.username })).toBeVisible()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'cancel request' }).click()
  await expect(bob.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()

  await ann.page.getByRole('button', { name: 'Add friend' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'ok!' }).click()
  await bob.page.getByRole('button', { name: 'cancel' }).click()
  await expect(bob.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()
  await expect(ann.page.getByRole('button', { name: 'Add friend' })).toBeVisible()

  await requestFriendship(ann, bob)
  bob.allowErrors('404')

  // The request is cancelled while the other member accepts it.
  await bob.page.route('**/api/auth/friends/respond', async (route) => {
    await ann.actor.call(removeFriend, { params: { id: bob.actor.id } })
    await route.continue()
  })
  await bob.page.getByRole('button', { name: 'accept' }).click()
  await expect(bob.page.getByRole('alert')).toHaveText(/Friend request not found/)
  await expect(bob.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()

  // The other member sends a request in the meantime.
  await requestFriendship(bob, ann)
  await ann.page.getByRole('link', { name: 'Friend request pending' }).click()
  await expect(ann.page).toHaveURL(/\/myfriends\?view=invitations/)
  await expect(ann.page.getByRole('link', { name: bob.username })).toBeVisible()
  await ann.actor.call(requestFriend, { body: { friend_id: bob.actor.id } })
  await expect(ann.page.getByRole('main').getByText('No pending invitations.')).toBeVisible()
})

test('the friend search matches a part of the username', async ({ world }) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  await befriend(ann, bob)
  await befriend(cat, ann)
  const { page } = ann
  await page.goto('/myfriends')
  const link = (member: Account) => page.getByRole('link', { name: member.username })
  await expect(link(bob)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search by username' }).fill('CAT_')
  await expect(link(bob)).toBeHidden()
  await expect(link(cat)).toBeVisible()
  await expect(page).toHaveURL(/q=CAT_/)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.context().route(/q=zz/, (route) => held.then(() => route.continue()))
  await page.getByRole('searchbox').fill('zz')
  await expect(page.locator('[aria-busy=true]').getByRole('link', { name: cat.username })).toBeVisible()
  release()
  await expect(page.getByRole('main').getByText('No friends found.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(link(bob)).toBeVisible()
  await expect(page.getByText('2 friends', { exact: true })).toBeVisible()
})

test('failures to answer friend requests are shown', async ({ world }) => {
  const [ann, bob, cat] = [await world.member('ann'), await world.account('bob'), await world.account('cat')]
  await requestFriendship(bob, ann)
  await requestFriendship(cat, ann)
  const { page } = ann
  ann.allowErrors('Failed to load resource')
  const refusal = { status: 403, json: { detail: 'Not now.' } }
  await page.goto('/myfriends?view=invitations')
  const refuse = (after?: Promise<void>) =>
    page.route(
      '**/api/auth/friends/respond',
      async (route) => {
        await after
        await route.fulfill(refusal)
      },
      { times: 1 },
    )
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await refuse(held)
  const cancel = page.getByRole('button', { name: `cancel the request of ${bob.username}` })
  await page.getByRole('button', { name: `accept the request of ${bob.username}` }).click()
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  // Another row is answered in the meantime.
  await page.getByRole('button', { name: `cancel the request of ${cat.username}` }).click()
  await expect(page.getByRole('link', { name: cat.username })).toBeHidden()
  release()
  await expect(page.getByRole('alert')).toContainText('Failed to accept friend request')
  await refuse()
  await cancel.click()
  await expect(page.getByRole('alert')).toContainText('Failed to decline friend request')
  expect(await ann.actor.call(listFriendRequests, { query: {} })).toHaveLength(1)
})

/** Returns the text of a QR code on the screen. */
async function scanQrCode(image: Locator): Promise<string | undefined> {
  return decodeQrCode(await image.screenshot())
}

async function decodeQrCode(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test('a member shares their profile by QR code and by link', async ({ world, baseURL }) => {
  const ann = await world.member('ann')
  const { page } = ann
  await page.goto('/myfriends')
  await page.getByRole('button', { name: 'Use QR Code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share your QR code' })
  const image = dialog.getByRole('img', { name: 'QR code of your profile link' })
  await expect(image).toHaveJSProperty('clientWidth', 200)
  await expect(image).toHaveJSProperty('clientHeight', 200)
  const { url: link } = await ann.actor.call(getInvitationLink)
  expect(link).toContain(`${baseURL}${profileOf(ann)}?invite=`)
  expect(await scanQrCode(image)).toBe(link)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`rhubarb-${ann.username}.png`)
  expect(await decodeQrCode(await readFile(await file.path()))).toBe(link)
  const tab = await openTab(image)
  await expect(tab.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL('/myfriends')
  await tab.close()
  await image.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add friend' })).toBeHidden()

  await page.goBack()
  await page.getByRole('button', { name: 'Share your profile with a link' }).click()
  const share = page.getByRole('dialog', { name: 'Share your profile link' })
  await expect(share.getByLabel('Your link')).toHaveValue(link)
  await share.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Share your profile with a link' })).toBeFocused()

  await page.evaluate(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      value: async (text: string) => document.documentElement.setAttribute('data-copied', text),
    })
  })
  await page.getByRole('button', { name: 'Share your profile with a link' }).click()
  await share.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-copied', link)
})

test('a new invitation link replaces the old one', async ({ world }) => {
  const [ann, visitor] = [await world.member('ann'), await world.visitor()]
  const { url: old } = await ann.actor.call(getInvitationLink)
  await ann.page.goto('/myfriends')
  await ann.page.getByRole('button', { name: 'Share your profile with a link' }).click()
  const share = ann.page.getByRole('dialog', { name: 'Share your profile link' })
  await share.getByRole('button', { name: 'make a new link' }).click()
  await expect(share).toContainText('will invite nobody any more')
  await expectAccessible(ann.page)
  await share.getByRole('button', { name: 'keep the link' }).click()
  await expect(share.getByLabel('Your link')).toHaveValue(old)
  await share.getByRole('button', { name: 'make a new link' }).click()
  await share.getByRole('button', { name: 'end the old link' }).click()
  await expect(share).toContainText('This is your new link.')
  const { url } = await ann.actor.call(getInvitationLink)
  expect(url).not.toBe(old)
  await expect(share.getByLabel('Your link')).toHaveValue(url)
  await share.getByRole('button', { name: 'Cancel' }).click()
  await ann.page.getByRole('button', { name: 'Use QR Code' }).click()
  await expect
    .poll(() => scanQrCode(ann.page.getByRole('img', { name: 'QR code of your profile link' })))
    .toBe(url)

  visitor.allowErrors('404')
  await visitor.page.goto(old)
  await expect(visitor.page.getByRole('alert')).toHaveText(invitationMessages.linkReplaced)
  await expectAccessible(visitor.page)
  const rendered = await visitor.page.request.get(visitor.page.url())
  expect([rendered.status(), await rendered.text()]).toEqual([
    404,
    expect.stringContaining(invitationMessages.linkReplaced),
  ])
  await visitor.page.reload()
  await expect(visitor.page.getByRole('alert')).toHaveText(invitationMessages.linkReplaced)
  await visitor.page.goto(url)
  await expect(visitor.page.getByText('would like to be your friend')).toBeVisible()
})

test('a guest with an invitation link sees the inviter', async ({ world }) => {
  const [ann, { page }] = [await world.account('ann'), await world.visitor()]
  await ann.actor.call(updateProfile, { body: { city: 'Portland', state: 'OR' } })
  const { url } = await ann.actor.call(getInvitationLink)
  const answered = await page.goto(url)
  // Programs that show a preview of the link run no scripts.
  expect(answered?.request().redirectedFrom()?.url()).toBe(url)
  expect(await answered?.text()).toContain('would like to be your friend')
  await expect(page.getByText(`@${ann.username} would like to be your friend`)).toBeVisible()
  await expect(page.getByText('Portland, OR')).toBeVisible()
  await expect(page.getByText('Rhubarb is where neighbors list')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('link', { name: 'Log in' })).toBeInViewport({ ratio: 1 })
  // The server-rendered page shows it too.
  await page.reload()
  await expect(page.getByText('Portland, OR')).toBeVisible()
})

test("an invitation link opens the inviter's profile for members, and an invalid one says why and leads on", async ({
  world,
}) => {
  const [ann, bob, visitor] = [await world.account('ann'), await world.member('bob'), await world.visitor()]
  const { url } = await ann.actor.call(getInvitationLink)
  bob.allowErrors('404')
  await bob.page.goto('/invited?invite=some')
  await expect(bob.page.getByRole('alert')).toHaveText(invitationMessages.linkUnknown)
  await expect(bob.page.getByRole('link', { name: 'My lists' })).toBeVisible()
  const invite = new URL(url).searchParams.get('invite') ?? ''
  const profile = { name: `@${ann.username}` }
  for (const address of [url, `/invited?invite=${invite}`]) {
    await bob.page.goto(address)
    await expect(bob.page.getByRole('heading', profile)).toBeVisible()
  }

  for (const address of [profileOf(ann), `${profileOf(ann)}?invite=`]) {
    await visitor.page.goto(address)
    await expect(visitor.page.getByRole('button', { name: 'Login' })).toBeVisible()
    await expect(visitor.page).toHaveURL(`/login?next=${encodeURIComponent(profileOf(ann))}`)
  }

  for (const person of [visitor, bob]) {
    person.allowErrors('404', '422')
    for (const address of [
      '/invited',
      '/invited?invite=12',
      `/invited?invite=${'7'.repeat(201)}.x`,
      `${profileOf(ann)}?invite=12`,
      `${profileOf(ann)}?invite=${ann.actor.id}.${'A'.repeat(22)}`,
    ]) {
      await person.page.goto(address)
      await expect(person.page.getByRole('alert')).toHaveText(invitationMessages.linkUnknown)
    }
    await expectAccessible(person.page)
  }
  await bob.page.getByRole('link', { name: 'See the profile' }).click()
  await expect(bob.page.getByRole('heading', profile)).toBeVisible()
  await expect(visitor.page.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', /^\/register/)

  await visitor.page.goto(url)
  await visitor.page.getByRole('link', { name: 'Log in' }).click()
  await visitor.page.getByLabel('Email').fill(bob.email)
  await visitor.page.getByLabel('Password').fill(bob.password)
  await visitor.page.getByRole('button', { name: 'Login' }).click()
  await expect(visitor.page.getByRole('heading', profile)).toBeVisible()
})

test('an invitation that fails to load can be tried again', async ({ world }) => {
  const [ann, visitor] = [await world.account('ann'), await world.visitor()]
  const { url } = await ann.actor.call(getInvitationLink)
  visitor.allowErrors('403')
  await visitor.page.route('**/api/invitations/inviter*', (route) => route.fulfill({ status: 403, json: {} }))
  await visitor.page.goto('/login')
  await expect(visitor.page.locator('html')).not.toHaveAttribute('data-hydrating')
  // Follows the link in the browser: the server would render its page with the inviter.
  await visitor.page.evaluate((link) => {
    history.pushState({}, '', link)
    dispatchEvent(new PopStateEvent('popstate'))
  }, new URL(url).pathname + new URL(url).search)
  await expect(visitor.page.getByText('Failed to load data')).toBeVisible()
  await visitor.page.unroute('**/api/invitations/inviter*')
  await visitor.page.getByRole('button', { name: 'Try again' }).click()
  await expect(visitor.page.getByText(`@${ann.username} would like to be your friend`)).toBeVisible()
})

/** Fills in and submits the register form. */
async function registerAs({ page }: Person, username: string) {
  await page.getByLabel('First name').fill('New')
  await page.getByLabel('Last name').fill('Neighbor')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('plum-crumble-42')
  await page.getByLabel('Confirm password').fill('plum-crumble-42')
  await page.getByRole('button', { name: 'Register' }).click()
}

test('a profile link leads a visitor through login or registration to the profile', async ({ world }) => {
  const [ann, bob, visitor] = [await world.account('ann'), await world.account('bob'), await world.visitor()]
  const heading = visitor.page.getByRole('heading', { name: `@${ann.username}` })
  await visitor.page.goto(profileOf(ann))
  await visitor.page.getByLabel('Email').fill(bob.email)
  await visitor.page.getByLabel('Password').fill(bob.password)
  await visitor.page.getByRole('button', { name: 'Login' }).click()
  await expect(heading).toBeVisible()
  await visitor.page.goBack()
  await expect(visitor.page).not.toHaveURL(/login/)

  const another = await world.visitor()
  await another.page.goto(profileOf(ann))
  await another.page.getByRole('link', { name: 'Register' }).click()
  await registerAs(another, world.uniqueName('new'))
  await another.page.getByRole('link', { name: 'Back to where you were' }).click()
  await expect(another.page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(another.page.getByRole('button', { name: 'Add friend' })).toBeVisible()
})

test('a neighbor invited by mail registers, accepts the inviter and can stop further invitations', async ({
  world,
}) => {
  const [ann, visitor] = [await world.member('ann'), await world.visitor()]
  const username = world.uniqueName('new')
  await ann.page.goto('/invite-your-friends')
  await expect(ann.page.getByRole('heading', { name: 'invite your friends' })).toBeVisible()
  await ann.page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(ann.page.getByText('Email is required')).toBeVisible()
  await ann.page.getByLabel('Invite by e-mail').fill(`${username}@example.com`)
  await ann.page.getByRole('button', { name: 'Send invitation' }).click()
  const sent = `Your invitation to ${username}@example.com is on its way.`
  await expect(ann.page.getByRole('main').getByText(sent)).toBeVisible()
  await expect(ann.page.getByRole('status').filter({ hasText: sent })).toBeAttached()
  await expectAccessible(ann.page)

  const mail = await world.mailTo(`${username}@example.com`, 'would like to be your friend')
  await visitor.page.goto(mail.link)
  await visitor.page.getByRole('link', { name: 'Sign up' }).click()
  await registerAs(visitor, username)
  const offer = visitor.page.getByRole('region', { name: `Invitation from ${ann.username}` })
  await expect(offer).toContainText(`${ann.username} would like to be your friend`)
  await expectAccessible(visitor.page)
  await offer.getByRole('button', { name: 'accept' }).click()
  await expect(visitor.page.getByRole('status')).toHaveText(`You and ${ann.username} are friends now.`)
  await visitor.page.getByRole('link', { name: 'Back to where you were' }).click()
  await expect(visitor.page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  await expect(visitor.page.getByRole('button', { name: 'Remove friend' })).toBeVisible()

  // For a member the mail's link opens the inviter's profile. Its second link stops invitations.
  await visitor.page.goto(mail.link)
  await expect(visitor.page.getByRole('heading', { name: `@${ann.username}` })).toBeVisible()
  const stop = /Never send me invitations again: (\S+)/.exec(mail.text)?.[1] ?? ''
  await visitor.page.goto(stop)
  await visitor.page.getByRole('button', { name: 'Stop invitations' }).click()
  await expect(visitor.page.getByRole('main').getByText(invitationMessages.stopped)).toBeVisible()
  await visitor.page.goto(stop)
  await visitor.page.getByRole('button', { name: 'Stop invitations' }).click()
  await expect(visitor.page.getByRole('main').getByText(invitationMessages.alreadyStopped)).toBeVisible()
  visitor.allowErrors('400')
  await visitor.page.goto('/stop-invitations?token=nonsense')
  await visitor.page.getByRole('button', { name: 'Stop invitations' }).click()
  await expect(visitor.page.getByRole('alert')).toHaveText(invitationMessages.stopInvalid)
})

test('a member sees a preview of the invitation mail', async ({ world }) => {
  const ann = await world.member('ann')
  await ann.page.goto('/invite-your-friends')
  await ann.page.getByRole('link', { name: 'See what they get' }).click()
  const preview = ann.page.getByRole('region', { name: 'The invitation' })
  await expect(preview).toContainText(`${ann.username} would like to be your friend`)
  await expect(preview.getByRole('link', { name: 'Answer the invitation' })).toHaveCSS(
    'color',
    'rgb(255, 255, 255)',
  )
  for (const picture of await preview.getByRole('img').all())
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(90)
})

test('the friends lead to a screen to invite by mail that leads back to them', async ({ world }) => {
  const { page } = await world.member('ann')
  await page.goto('/myfriends')
  await page.getByRole('link', { name: 'Invite a neighbor by e-mail' }).click()
  await expect(page.getByRole('heading', { name: 'invite your friends' })).toBeVisible()
  await expect(page.getByLabel('Invite by e-mail')).toBeVisible()
  await expect(page.getByRole('link', { name: 'finish setup' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'skip for now' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/myfriends')
  // Opened directly, it leads to the friends, too.
  await page.goto('about:blank')
  await page.goto('/invite-your-friends?from=friends')
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/myfriends')

  // The last step of the registration has no way back.
  await page.goto('/invite-your-friends')
  await expect(page.getByRole('link', { name: 'finish setup' })).toHaveAttribute('href', '/listings/new')
  await expect(page.getByRole('link', { name: 'Back' })).toHaveCount(0)
})
