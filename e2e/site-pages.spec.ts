import type { Page } from '@playwright/test'
import { expect, openTab, test } from './fixtures.ts'

const pages = [
  ['Safety', '/safety', 'Meeting safely', 'Meet outside, in daylight'],
  ['Terms', '/terms', 'Terms of use', 'One account a person'],
  ['Privacy', '/privacy', 'Privacy', 'We have no advertisements and no trackers'],
] as const

/** Follows the link to the first page from a footer, and those to the others from there. */
async function readAll(page: Page) {
  let links = page.getByRole('contentinfo')
  for (const [link, path, title, sentence] of pages) {
    await links.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByRole('link', { name: 'hello@rhubarb.example' }).first()).toHaveAttribute(
      'href',
      'mailto:hello@rhubarb.example',
    )
    links = page.getByRole('navigation', { name: 'About this site' })
  }
}

test('visitors and members read the terms, the privacy notice and the advice on safety from the footer', async ({
  world,
}) => {
  const [visitor, ann] = [await world.visitor(), await world.member('ann')]
  for (const { page, from } of [
    { ...visitor, from: '/' },
    { ...ann, from: '/profile' },
  ]) {
    await page.goto(from)
    for (const [link, path] of pages)
      await expect(page.getByRole('contentinfo').getByRole('link', { name: link })).toHaveAttribute(
        'href',
        path,
      )
    await readAll(page)
  }
  await ann.page.getByRole('link', { name: 'Rhubarb, home' }).click()
  await expect(ann.page).toHaveURL('/')
})

test('the register form opens terms and privacy in a new tab and keeps its values', async ({ world }) => {
  const { page } = await world.visitor()
  await page.goto('/register')
  await page.getByLabel('First name').fill('Ann')
  for (const [name, title] of [
    ['terms', 'Terms of use'],
    ['privacy notice', 'Privacy'],
  ]) {
    const tab = await openTab(page.getByRole('link', { name: `${name} (opens in a new tab)` }))
    await expect(tab.getByRole('heading', { level: 1, name: title ?? '' })).toBeVisible()
    await tab.close()
  }
  await expect(page.getByLabel('First name')).toHaveValue('Ann')
})

test('a page of the operator that fails to load shows an error and can be tried again', async ({ world }) => {
  const { page, allowErrors } = await world.member('ann')
  allowErrors('403')
  await page.goto('/listings')
  await page.route('**/api/pages/*', (route) => route.fulfill({ status: 403, json: {} }))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Safety' }).click()
  await expect(page.getByText('Failed to load data')).toBeVisible()
  await page.unroute('**/api/pages/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Meet outside, in daylight')).toBeVisible()
})

test('a page without a translation says in the language of the reader that it is in English', async ({
  world,
}) => {
  const { page } = await world.visitor()
  const notice = 'Diese Seite gibt es nur auf Englisch.'
  for (const [, path] of pages) {
    await page.goto(`${path}?lang=de`)
    await expect(page.getByText(notice)).toBeVisible()
    await expect(page.locator('main div[lang="en"]')).toHaveCount(1)
  }
  for (const language of ['es', 'en']) {
    await page.goto(`/safety?lang=${language}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{L}/u)
    await expect(
      page.getByText(/^(?:This page is in English only|Esta página solo está en inglés)\./),
    ).toHaveCount(0)
  }
})
