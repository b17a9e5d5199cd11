import type { Page } from '@playwright/test'
import { confirmEmail } from '#contract/auth.ts'
import { categories, states, types } from '#contract/constants.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { ageListing } from './age-listing.ts'
import { type Account, expect, expectAccessible, type Member, test, type World } from './fixtures.ts'
import { rowOf } from './my-listings.ts'

const dayMs = 24 * 60 * 60_000

const post = ({ actor }: Account, title: string) =>
  actor.call(createListing, {
    body: { title, type_id: types.giveaway, category_id: categories.produce },
  })
const read = ({ actor }: Account, id: number) => actor.call(getListing, { params: { id } })
/** Returns the day some days from now, as screens format it. */
const dayAfter = (page: Page, days: number) =>
  page.evaluate(
    (moment) => {
      const isThisYear = new Date(moment).getFullYear() === new Date().getFullYear()
      const year = isThisYear ? {} : ({ year: 'numeric' } as const)
      return new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', ...year }).format(moment)
    },
    Date.now() + days * dayMs,
  )
const hydrated = (page: Page) => expect(page.locator('html')).not.toHaveAttribute('data-hydrating')

/** Registers a member and confirms the address. */
async function confirmed(world: World, name: string): Promise<Member> {
  const member = await world.member(name)
  const { link } = await world.mailTo(member.email, 'Confirm')
  await member.actor.call(confirmEmail, {
    body: { token: new URL(link).searchParams.get('token') ?? '' },
  })
  return member
}

test('the forms show the end of a listing and change its number of days', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  await page.goto('/listings/new')
  await hydrated(page)
  const days = page.getByLabel('Days listed')
  const end = async (count: number) =>
    expect(page.getByText(`Until ${await dayAfter(page, count)}`, { exact: true })).toBeVisible()
  await end(14)
  for (const [category, count] of [
    ['seeds', 365],
    ['plants', 60],
    ['uncategorized', 30],
  ] as const) {
    await page.getByRole('radio', { name: category, exact: true }).click()
    await end(count)
  }
  await page.getByLabel('Item name').fill('Potato onions')
  await page.getByLabel('Type').selectOption('giveaway')
  await days.fill('400')
  await page.getByRole('button', { name: 'post' }).click()
  await expect(days).toHaveAccessibleDescription('Please choose 3 to 365 days')
  await expectAccessible(page)
  await days.fill('21')
  await end(21)
  await page.getByRole('button', { name: 'post' }).click()
  await expect(page).toHaveURL('/my-listings')
  await page.getByRole('link', { name: 'Potato onions' }).click()
  await expect(page.getByText('Ends in 21 days')).toBeVisible()

  await page.getByRole('link', { name: 'edit' }).click()
  await expect(page).toHaveURL(/\/edit$/)
  await expect(days).toHaveValue('')
  await end(21)
  await days.fill('5')
  await end(5)
  await page.getByRole('button', { name: 'save' }).click()
  await expect(page.getByText('Ends in 5 days')).toBeVisible()
})

test('my lists show ended listings in a group of their own, and a button relists one', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.member('bob')]
  const { page } = ann
  const [ended, soon, fresh] = [
    await post(ann, 'Purple tomatillos'),
    await post(ann, 'Chioggia beets'),
    await post(ann, 'Green figs'),
  ]
  await ageListing(ended.id, 16)
  await ageListing(soon.id, 12)

  await page.goto('/my-listings')
  await hydrated(page)
  const group = page.getByRole('region', { name: 'ended' })
  await expect(group.getByRole('listitem')).toHaveCount(1)
  await expect(rowOf(page, 'Purple tomatillos')).toContainText('Ended 2 days ago')
  await expect(page.getByRole('region', { name: 'produce' }).getByRole('listitem')).toHaveCount(2)
  await expect(rowOf(page, 'Chioggia beets')).toContainText('Ends in 2 days')
  await expect(rowOf(page, 'Green figs')).not.toContainText('Ends')
  await expectAccessible(page)
  bob.allowErrors('status of 404')
  await bob.page.goto(`/listings/${ended.id}`)
  await expect(bob.page.getByText('Page Not Found')).toBeVisible()

  await page.goto(`/listings/${ended.id}`)
  await expect(page.getByText('This listing has ended. Only you see it.')).toBeVisible()
  await page.goto(`/listings/${soon.id}`)
  await hydrated(page)
  await expect(page.getByText('Ends in 2 days')).toBeVisible()
  await page.getByRole('button', { name: 'List again' }).click()
  await expect(page.getByText(`Listed until ${await dayAfter(page, 14)}`)).toBeVisible()
  await expect(page.getByText('Ends in 14 days')).toBeVisible()
  await expect(page.getByRole('button', { name: 'List again' })).toHaveCount(0)

  await page.goto('/my-listings')
  await hydrated(page)
  await group.getByRole('button', { name: 'List again' }).dblclick()
  await expect(group).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'produce' }).getByRole('listitem')).toHaveCount(3)
  expect(await read(ann, ended.id)).toMatchObject({ is_expired: false, state_id: states.available })
  await bob.page.goto(`/listings/${ended.id}`)
  await expect(bob.page.getByRole('heading', { name: 'Purple tomatillos' })).toBeVisible()
  expect((await read(ann, fresh.id)).is_expired).toBe(false)
})

test('relisting that fails shows an error and can be tried again', async ({ world }) => {
  const ann = await world.member('ann')
  const { id } = await post(ann, 'Purple tomatillos')
  await ageListing(id, 16)
  ann.allowErrors('status of 503')
  await ann.page.goto('/my-listings')
  await hydrated(ann.page)
  await ann.page.route(`**/api/listings/${id}/renew`, (route) => route.fulfill({ status: 503, json: {} }), {
    times: 1,
  })
  const row = rowOf(ann.page, 'Purple tomatillos')
  await row.getByRole('button', { name: 'List again' }).click()
  await expect(row.getByText('Not listed again. Please try again.')).toBeVisible()
  await row.getByRole('button', { name: 'List again' }).click()
  await expect(ann.page.getByRole('region', { name: 'ended' })).toHaveCount(0)
})

test('two days before the end the owner gets a notification and a mail whose link works without a login', async ({
  world,
}) => {
  const ann = await confirmed(world, 'ann')
  const { page } = ann
  const { id } = await post(ann, 'Purple tomatillos')
  await ageListing(id, 12)
  const { link } = await world.mailTo(ann.email, 'Still there? Purple tomatillos')
  const { pathname, search } = new URL(link)
  const address = pathname + search

  await page.goto('/notifications')
  const notification = page.getByRole('listitem').filter({ hasText: 'Purple tomatillos ends in 2 days' })
  await expect(notification).toContainText('Still there? List it again for the same time.')
  await notification.getByRole('link').click()
  await expect(page).toHaveURL(`/listings/${id}`)
  await expect(page.getByText('This listing ends soon. Is it still there?')).toBeVisible()

  const guest = await world.visitor()
  const markup = await (await guest.page.request.get(address)).text()
  expect(markup).toContain('Purple tomatillos')
  await guest.page.goto(address)
  await hydrated(guest.page)
  await expect(
    guest.page.getByText(`“Purple tomatillos” is listed until ${await dayAfter(guest.page, 2)}.`),
  ).toBeVisible()
  await expectAccessible(guest.page)
  const before = await read(ann, id)
  expect(before).toMatchObject({ state_id: states.available })

  const stillThere = guest.page.getByRole('button', { name: 'Still there: list it again' })
  const answer = Promise.withResolvers<void>()
  await guest.page.context().route('**/api/listing-reminders', async (route) => {
    await answer.promise
    await route.continue()
  })
  await guest.page.getByRole('button', { name: 'It’s gone' }).click()
  await expect(stillThere).toBeDisabled()
  answer.resolve()
  await expect(guest.page.getByRole('status')).toHaveText('“Purple tomatillos” is marked as gone. Thank you.')
  const second = await guest.page.context().newPage()
  await second.goto(address)
  await expect(second.getByText('“Purple tomatillos” is marked as gone already. Thank you.')).toBeVisible()
  await second.close()
  expect(await read(ann, id)).toMatchObject({ state_id: states.gone, expires_at: before.expires_at })
  await stillThere.click()
  const until = `“Purple tomatillos” is listed until ${await dayAfter(guest.page, 14)}.`
  await expect(guest.page.getByRole('status')).toHaveText(until)
  expect(await read(ann, id)).toMatchObject({ state_id: states.available })
  await guest.page.reload()
  const again = `“Purple tomatillos” is listed again already, until ${await dayAfter(guest.page, 14)}.`
  await expect(guest.page.getByRole('main').getByText(again)).toBeVisible()
  await expect(guest.page.getByRole('button')).toHaveCount(0)
  await guest.page.getByRole('link', { name: 'See the listing' }).click()
  await expect(guest.page).toHaveURL(`/login?next=${encodeURIComponent(`/listings/${id}`)}`)
})

test('a reminder link that is invalid or about a deleted listing shows why, with a link home', async ({
  world,
}) => {
  const { page, allowErrors } = await world.visitor()
  allowErrors('status of 404')
  for (const address of ['/still-there?token=some', '/still-there?token=12345']) {
    await page.goto(address)
    await expect(page.getByRole('alert')).toHaveText('This link is not valid any more')
    await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  }
  const ann = await world.member('ann')
  ann.allowErrors('status of 404')
  await ann.page.goto('/still-there?token=some')
  await expect(ann.page.getByRole('link', { name: 'My lists' })).toHaveAttribute('href', '/my-listings')
})

test('a draft keeps the number of days, and saving it relists a listing that has ended meanwhile', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page } = ann
  const { id } = await post(ann, 'Purple tomatillos')
  await page.goto(`/listings/${id}/edit`)
  await hydrated(page)
  await page.getByLabel('Days listed').fill('40')
  await page.reload()
  await hydrated(page)
  await expect(page.getByLabel('Days listed')).toHaveValue('40')
  await ageListing(id, 20)
  await page.getByRole('button', { name: 'save' }).click()
  await expect(page.getByText('Ends in 40 days')).toBeVisible()
  expect(await read(ann, id)).toMatchObject({ is_expired: false })
})
