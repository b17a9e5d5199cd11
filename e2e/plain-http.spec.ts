import type { Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { expect, test } from './fixtures.ts'
import { photo } from './photos.ts'

/** Returns the server's address by a name that browsers do not trust without HTTPS, unlike `localhost`. */
function untrusted(baseURL: string | undefined): string {
  const url = new URL(baseURL ?? '')
  // playwright.config.ts resolves it.
  url.hostname = 'garden.test'
  return url.origin
}

test('a member registers, posts and writes with photos, copies and logs out without HTTPS', async ({
  world,
  baseURL,
}) => {
  const bob = await world.account('bob')
  const title = `Chard ${world.uniqueName('crate')}`
  const { id } = await bob.actor.call(createListing, {
    body: { title, type_id: types.giveaway, category_id: categories.produce },
  })
  const { page } = await world.visitor()
  const site = untrusted(baseURL)
  const small = await photo({ width: 320, height: 240 })
  const username = world.uniqueName('marta')

  await page.goto(`${site}/register`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  for (const [label, text] of Object.entries({
    'First name': 'Marta',
    'Last name': 'Oduya',
    Username: username,
    Email: `${username}@example.com`,
    Password: 'plum-crumble-42',
    'Confirm password': 'plum-crumble-42',
  }))
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL(`${site}/personal-info`)

  await page.goto(`${site}/listings/new`)
  await page.getByLabel('Item name').fill('Rhubarb crowns')
  await page.getByLabel('Type').selectOption('giveaway')
  await page.locator('input[type=file]').setInputFiles(small)
  await expect(page.getByRole('img', { name: /Photo 1/ })).toBeVisible()
  await page.getByRole('button', { name: 'post' }).click()
  await expect(page.getByText('Listing posted')).toBeVisible()

  await page.goto(`${site}/listings/${id}`)
  await page.locator('input[type=file]').setInputFiles(small)
  await expect(page.getByRole('list', { name: 'Photos to send' }).getByRole('listitem')).toHaveCount(1)
  await page.getByPlaceholder('Type a message…').fill('Is it still free?')
  await page.getByRole('button', { name: 'Send' }).click()
  const log = page.getByRole('log')
  await expect(log).toContainText('Is it still free?')
  await expect(log.getByRole('button', { name: 'Show photo' })).toBeVisible()
  const received = await bob.actor.call(listMessages, { params: { id: await memberId(page) }, query: {} })
  expect(received).toMatchObject([{ content: 'Is it still free?', images: [{}] }])

  // The socket brings the answer.
  await bob.actor.call(sendMessage, { body: { receiver_id: await memberId(page), content: 'Yes, come by!' } })
  await expect(log).toContainText('Yes, come by!')
  await log.getByRole('button', { name: 'Message menu' }).click()
  await page.getByRole('button', { name: 'copy' }).click()
  await expect(page.getByText('Message copied')).toBeVisible()
  await page.getByPlaceholder('Type a message…').press('ControlOrMeta+v')
  await expect(page.getByPlaceholder('Type a message…')).toHaveValue('Yes, come by!')

  await page.goto(`${site}/notifications/settings`)
  await expect(page.getByText('This browser can not show notifications while no page is open.')).toBeVisible()
  await page.goto(`${site}/profile`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${site}/login`)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password').fill('plum-crumble-42')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Rhubarb crowns')).toBeVisible()
  await page.goto(site)
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
})

function memberId(page: Page): Promise<number> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('auth') ?? '').user.id)
}
