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

test('each language has its pages, without the note that a page is in English only', async ({ world }) => {
  const { page } = await world.visitor()
  const titles = {
    de: ['Sicher treffen', 'Nutzungsbedingungen', 'Datenschutz'],
    es: ['Encuentros seguros', 'Términos de uso', 'Privacidad'],
    ar: ['لقاء آمن', 'شروط الاستخدام', 'الخصوصية'],
  }
  for (const [language, expected] of Object.entries(titles))
    for (const [index, [, path]] of pages.entries()) {
      await page.goto(`${path}?lang=${language}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(expected[index] ?? '')
      await expect(page.locator(`main div[lang="${language}"]`)).toHaveCount(1)
      await expect(page.getByText(/nur auf Englisch|solo está en inglés|بالإنجليزية فقط/)).toHaveCount(0)
    }
})
