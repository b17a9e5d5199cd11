import { types } from '#contract/constants.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { listReportCases, resolveReportCase } from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { recordAnnouncements } from './announcements.ts'
import { type Account, expect, expectAccessible, navigate, phone, test, type World } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { makeModerator } from './sample-data.ts'
import { expectClosed } from './screens.ts'

test.use({ viewport: phone, isMobile: false, hasTouch: false })

/** Creates a member who reports a listing, its owner, and a moderator with a browser. */
async function createReport(world: World) {
  const [ann, bob, maud] = await Promise.all([
    world.account('ann'),
    world.member('bob'),
    world.member('maud'),
  ])
  await makeModerator(maud)
  const title = `Plastic ${crypto.randomUUID()}`
  const { id } = await bob.actor.call(createListing, { body: { title, type_id: types.giveaway } })
  await ann.actor.call(report, { body: { listing_id: id, reason: 'No plant' } })
  return { ann, bob, maud, title, id }
}

async function statusOf(id: number, { actor }: Account) {
  return (await actor.try(getListing, { params: { id } })).status
}

test('a moderator takes a report, hides the listing, which its owner is told, and undoes it, by keyboard', async ({
  world,
}) => {
  const { ann, bob, maud, title, id } = await createReport(world)
  const { page } = maud
  const keys = new Keyboard(page)
  const reported = page.getByRole('article').filter({ hasText: title })
  const dialog = page.getByRole('dialog')

  await test.step('the profile leads to the reports', async () => {
    await page.goto('/profile')
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await keys.activate(page.getByRole('link', { name: 'Desk', exact: true }))
    await expect(page.getByRole('heading', { level: 1, name: 'desk' })).toBeFocused()
    await expect(reported).toContainText('1 report')
    await expect(reported.getByRole('listitem')).toHaveText(/No plant · \d+:\d\d/)
    await expectAccessible(page)
  })

  await test.step('the moderator takes the report and hides the listing', async () => {
    await keys.activate(reported.getByRole('button', { name: 'take' }))
    await expect(reported).toContainText(`taken by ${maud.username}`)
    await expect(reported.getByRole('button', { name: 'release' })).toBeFocused()
    await keys.activate(reported.getByRole('button', { name: 'decide' }))
    await keys.tabTo(dialog.getByLabel('Action'))
    await keys.press('ArrowDown')
    await expect(dialog.getByLabel('Action')).toHaveValue('hide')
    await keys.activate(dialog.getByRole('button', { name: 'save' }))
    await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Please say why')
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await expectAccessible(page, 'the dialog to decide')
    await page.keyboard.insertText('Plastic does not grow')
    await keys.fill(dialog.getByLabel('Answer to the reporters'), 'We have hidden it')
    const announcements = await recordAnnouncements(page)
    await keys.activate(dialog.getByRole('button', { name: 'save' }))
    await expectClosed(page)
    await expect(reported).toHaveCount(0)
    await expect.poll(announcements).toContain('Report closed')
    expect(await statusOf(id, ann)).toBe(404)
  })

  await test.step('the owner and the reporter are told', async () => {
    await bob.page.goto('/notifications')
    await expect(bob.page.getByRole('main')).toContainText(`“${title}” is hidden`)
    await expect(bob.page.getByRole('main')).toContainText('Plastic does not grow')
    await bob.page.goto(`/listings/${id}`)
    await expect(bob.page.getByText('The volunteers of this site have hidden this listing.')).toBeVisible()
    await bob.page.goto('/my-listings')
    await expect(bob.page.getByText('hidden by volunteers')).toBeVisible()
    await bob.page.goto('/notifications')
    expect(
      (await ann.actor.call(listNotifications, { query: {} })).map(({ notice }) => notice),
    ).toContainEqual({
      kind: 'report_answered',
      listings: [],
      rule: null,
      text: 'We have hidden it',
      ends_at: null,
    })
  })

  await test.step('the closed reports have it, and the audit log undoes it', async () => {
    await keys.activate(page.getByRole('link', { name: 'Closed reports' }))
    await expect(reported).toContainText(`Hide the listing (${maud.username})`)
    await expectAccessible(page)
    await keys.activate(page.getByRole('link', { name: 'Audit log' }))
    const hidden = page.getByRole('listitem').filter({ hasText: `Listing hidden: ${title}` })
    await expect(hidden).toContainText('Plastic does not grow')
    await expectAccessible(page)
    await keys.activate(hidden.getByRole('button', { name: 'undo' }))
    await keys.fill(dialog.getByLabel('Reason'), 'It is a pot')
    await keys.activate(dialog.getByRole('button', { name: 'undo' }))
    await expectClosed(page)
    await expect(hidden).toContainText('undone')
    await expect(page.getByText(`Listing shown: ${title}`)).toBeVisible()
    expect(await statusOf(id, ann)).toBe(200)
    await bob.page.reload()
    await expect(bob.page.getByRole('main')).toContainText(`“${title}” is shown again`)
  })

  await test.step('the audit log is filtered', async () => {
    await page.getByLabel('By').selectOption({ label: maud.username })
    await page.getByLabel('Action').selectOption('Reporters answered')
    await expect(page).toHaveURL(
      ({ searchParams }) =>
        searchParams.get('actor') === String(maud.actor.id) &&
        searchParams.get('action') === 'reporters_answered',
    )
    await expect(page.getByRole('main').getByText('We have hidden it')).toBeVisible()
    await expect(page.getByText(`Listing hidden: ${title}`)).toHaveCount(0)
  })
})

test('a moderator finds a spammer, suspends them and withdraws their messages, which come back by undo', async ({
  world,
}) => {
  const [ann, sam, maud] = await Promise.all([
    world.member('ann'),
    world.account('sam'),
    world.member('maud'),
  ])
  await makeModerator(maud)
  const text = `Pills ${crypto.randomUUID()}`
  await sam.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: text } })
  await ann.page.goto('/messages')
  await expect(ann.page.getByRole('main')).toContainText(text)

  const { page } = maud
  const dialog = page.getByRole('dialog')
  const act = async (action: string, reason: string) => {
    await page.getByRole('button', { name: 'act', exact: true }).click()
    await dialog.getByLabel('Action').selectOption(action)
    await dialog.getByLabel(action === 'Write a note' ? 'Note' : 'Reason').fill(reason)
    await dialog.getByRole('button', { name: 'save' }).click()
    await expectClosed(page)
  }
  await test.step('the search finds the member', async () => {
    await page.goto('/desk')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByLabel('Name, username or e-mail').fill(sam.username)
    await expect(page).toHaveURL(({ searchParams }) => searchParams.get('q') === sam.username)
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: sam.username }).click()
    await expect(page.getByRole('heading', { level: 2, name: sam.username })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(sam.username))
    await expect(page.getByRole('main')).toContainText(sam.email)
    await expect(page.getByRole('button', { name: 'delete the account' })).toHaveCount(0)
  })
  await test.step('notes, a suspension and the withdrawal are in the log', async () => {
    await act('Write a note', 'Writes to everybody')
    await act('Suspend the member', 'Advertising')
    await act('Withdraw their messages', 'Advertising')
    await expect(page.getByRole('status').filter({ hasText: 'Messages withdrawn' })).toBeAttached()
    const main = page.getByRole('main')
    await expect(main).toContainText('The messages of this member are withdrawn.')
    for (const action of ['Note written', 'Member suspended', 'Messages withdrawn'])
      await expect(main).toContainText(`${action}: ${sam.username}`)
    await expectAccessible(page)
    await expect(ann.page.getByRole('main')).not.toContainText(text)
  })
  await test.step('undoing brings them back', async () => {
    const withdrawn = page.getByRole('listitem').filter({ hasText: `Messages withdrawn: ${sam.username}` })
    await withdrawn.getByRole('button', { name: 'undo' }).click()
    await dialog.getByLabel('Reason').fill('They were asked for')
    await dialog.getByRole('button', { name: 'undo' }).click()
    await expectClosed(page)
    await expect(withdrawn).toContainText('undone')
    await expect(ann.page.getByRole('main')).toContainText(text)
  })
})

test('an operator gives a role and deletes an account', async ({ world }) => {
  const [bob, olga] = await Promise.all([world.account('bob'), world.member('olga')])
  await makeModerator(olga, 'operator')
  const { page } = olga
  const dialog = page.getByRole('dialog')
  await page.goto(`/desk/members/${bob.actor.id}`)
  for (const role of ['Moderator', 'no role']) {
    await page.getByRole('button', { name: 'change the role' }).click()
    await dialog.getByLabel('Role').selectOption(role)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'save' }).click()
    await expectClosed(page)
  }
  await expect(page.getByText(`Role taken: ${bob.username}`)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Role given' })).toContainText('Moderator')
  await page.getByRole('button', { name: 'delete the account' }).click()
  await dialog.getByLabel('Reason').fill('At their request')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'delete', exact: true }).click()
  await expect(page).toHaveURL(/\/desk\/members$/)
  await page.goto('/desk/audit-log')
  await expect(page.getByText(`Member deleted: ${bob.actor.id}`)).toBeVisible()
})

test('the desk is Page Not Found for members without a role', async ({ world }) => {
  const { page, allowErrors } = await world.member('ann')
  allowErrors(/status of 404.*\/desk/)
  await page.goto('/profile')
  await expect(page.getByRole('link', { name: 'Notification settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Desk' })).toHaveCount(0)
  for (const path of ['/desk', '/desk/closed', '/desk/audit-log', '/desk/members', '/desk/members/1']) {
    await navigate(page, path)
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(page).toHaveTitle('Page Not Found · Rhubarb')
  }
  await page.goto('/desk')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expectAccessible(page)
})

test('a suspended member reads why and until when at the login, appeals once, and reads the answer of a moderator, who writes it by keyboard', async ({
  world,
}) => {
  const { bob, maud } = await createReport(world)
  const cases = await maud.actor.call(listReportCases, { query: {} })
  const { id = 0 } = cases.find(({ member }) => member?.id === bob.actor.id) ?? {}
  await maud.actor.call(resolveReportCase, {
    params: { id },
    body: { outcome: 'suspend', rule: 'spam', reason: 'Plastic again', days: 400 },
  })
  const { page, allowErrors } = await world.visitor()
  allowErrors('status of 403')
  const logIn = async () => {
    await page.goto('/login')
    await page.getByLabel('Email').fill(bob.email)
    await page.getByLabel('Password').fill(bob.password)
    await page.getByRole('button', { name: 'Login' }).click()
  }
  const note = page.getByRole('region', { name: 'Why it is suspended' })
  await logIn()
  await expect(page.getByRole('alert')).toContainText('This account is suspended.')
  await expect(note).toContainText('No advertising')
  await expect(note).toContainText('Plastic again')
  const end = new Date(Date.now() + 400 * 24 * 60 * 60_000)
  await expect(note).toContainText(String(end.getFullYear()))
  await note.getByRole('button', { name: 'send' }).click()
  await expect(note.getByLabel('Why is that a mistake?')).toHaveAccessibleDescription(
    'Please say why that is a mistake',
  )
  await expectAccessible(page)
  await note.getByLabel('Why is that a mistake?').fill('It was a pot')
  await note.getByRole('button', { name: 'send' }).click()
  await expect(note.getByText('Thank you. We will read your answer and write to you.')).toBeFocused()

  await logIn()
  await expect(note).toContainText('We have your answer already and will write to you.')
  await expect(note.getByRole('button', { name: 'send' })).toHaveCount(0)

  await maud.page.goto('/desk')
  await maud.page.getByText(/\d+ appeals?$/).click()
  const appeal = maud.page.getByRole('listitem').filter({ hasText: bob.username })
  await expect(appeal).toContainText('It was a pot')
  await expect(appeal.getByRole('link', { name: bob.username })).toBeVisible()
  await expectAccessible(maud.page)

  const keys = new Keyboard(maud.page)
  const dialog = maud.page.getByRole('dialog')
  await keys.activate(appeal.getByRole('button', { name: `keep the suspension of ${bob.username}` }))
  await expect(dialog.getByLabel('Answer')).toBeFocused()
  await expect(dialog.getByLabel('Answer')).toHaveAccessibleDescription('The member reads it too.')
  await expect(dialog.getByLabel('Rule')).toHaveCount(0)
  await expectAccessible(maud.page, 'the dialog to answer an appeal')
  await maud.page.keyboard.insertText('The pot had no plant in it')
  await keys.activate(dialog.getByRole('button', { name: 'save' }))
  await expect(dialog).toHaveCount(0)
  await expect(appeal).toHaveCount(0)
  await expect(maud.page.locator('body')).not.toBeFocused()

  await logIn()
  await expect(note).toContainText('We have read what you wrote. The suspension stays, because:')
  await expect(note).toContainText('The pot had no plant in it')
  await expect(note).not.toContainText('We have your answer already')
  await expect(note.getByRole('button', { name: 'send' })).toHaveCount(0)
  await expectAccessible(page)

  await maud.page.goto(`/desk/members/${bob.actor.id}`)
  await expect(maud.page.getByText('Appeal: It was a pot')).toBeVisible()
  await expect(maud.page.getByText('Answer: The pot had no plant in it')).toBeVisible()
  await expectAccessible(maud.page)
  await maud.page.getByRole('link', { name: 'what was done before' }).click()
  await maud.page
    .getByRole('listitem')
    .filter({ hasText: `Member suspended: ${bob.username}` })
    .getByRole('button', { name: 'undo' })
    .click()
  await maud.page.getByLabel('Reason').fill('It was a pot')
  await maud.page.getByRole('dialog').getByRole('button', { name: 'undo' }).click()
  await expect(maud.page.getByText(`Suspension ended: ${bob.username}`)).toBeVisible()
})
