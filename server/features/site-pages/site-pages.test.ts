import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Language, languageNames } from '#contract/languages.ts'
import { getSitePage, type SitePageName, sitePageNames } from '#contract/site-pages.ts'
import { completeLanguages } from '#test/complete-languages.ts'
import { newWorld } from '#test/world.ts'

const folder = await mkdtemp(join(tmpdir(), 'rhubarb-pages-'))
const world = await newWorld({
  config: { site: { support_email: 'help@garden.example', social_links: [], pages_dir: folder } },
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
const page = (name: SitePageName, language?: Language) =>
  world.guest().call(getSitePage, { params: { name }, query: language ? { language } : {} })
const write = (name: string, text: string) => writeFile(join(folder, name), text)

test.each(sitePageNames)('the page %s has a default text with the operator’s address', async (name) => {
  const { title, html } = await page(name)
  expect(title).toMatch(/^[A-Z]/)
  expect(html).toContain('<h2>')
  expect(html).toContain('<a href="mailto:help@garden.example">help@garden.example</a>')
  expect(html).not.toMatch(/<h1|\{|\*\*|\[/)
  // The web client's Trusted Types policy accepts this markup.
  expect(
    html.replaceAll(
      /<\/?(?:p|h2|h3|ul|ol|li|strong|em|code|blockquote|br|hr)>|<a href="[^"<>]*">|<\/a>/g,
      '',
    ),
  ).not.toContain('<')
})

test("the operator's file replaces the default text without a restart", async () => {
  const before = await page('terms')
  await write('terms.md', '# Our *rules*\n\nBe kind. Read [this](/safety).\n')
  expect(await page('terms')).toEqual({
    title: 'Our rules',
    html: '<p>Be kind. Read <a href="/safety">this</a>.</p>\n',
    language: 'en',
  })
  await write('terms.md', '# Our rules\n\nBe kinder.\n')
  expect((await page('terms')).html).toBe('<p>Be kinder.</p>\n')
  await rm(join(folder, 'terms.md'))
  expect(await page('terms')).toEqual(before)
})

test.each([
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['[x](data:text/html,<b>)', '<p>[x](data:text/html,&lt;b&gt;)</p>'],
  ['![x](https://evil.example/x.png)', '<p>!<a href="https://evil.example/x.png">x</a></p>'],
  ['[x](https://garden.example "a title")', '<p><a href="https://garden.example" title="a title">x</a></p>'],
  ['1. one', '<ol>\n<li>one</li>\n</ol>'],
  ['3. three', '<ol start="3">\n<li>three</li>\n</ol>'],
  ['| a |\n|---|\n| b |', '<p>| a |\n|---|\n| b |</p>'],
])('renders HTML, scripts and images as text: %s', async (text, html) => {
  await write('privacy.md', `${text}\n`)
  expect((await page('privacy')).html.trim()).toBe(html)
})

test('an empty file is an empty page with its name as the title', async () => {
  await write('safety.md', '')
  expect(await page('safety')).toEqual({ title: 'safety', html: '', language: 'en' })
  await rm(join(folder, 'safety.md'))
})

test('returns 404 for other files and names', async () => {
  await write('secret.md', '# Secret')
  for (const name of ['secret', 'terms.md', '..%2Fterms', 'TERMS', 'constructor', '%00', 'a'.repeat(300)]) {
    const { status, body } = await world.guest().send('GET', `/api/pages/${name}`)
    expect([name, status]).toEqual([name, 404])
    expect(JSON.stringify(body)).not.toContain('Secret')
  }
})

const translations = languageNames
  .filter((language) => completeLanguages.includes(language))
  .flatMap((language) => sitePageNames.map((name) => [name, language] as const))
test.each(translations)(
  'the page %s has a default in %s with the sections of the English one',
  async (name, language) => {
    await rm(join(folder, `${name}.md`), { force: true })
    const [english, translated] = [await page(name), await page(name, language)]
    expect(translated.language).toBe(language)
    expect(translated.title).not.toBe(english.title)
    expect(translated.html.match(/<(?:h2|li)>/g)).toEqual(english.html.match(/<(?:h2|li)>/g))
    expect(translated.html).toContain('<a href="mailto:help@garden.example">')
    expect(translated.html).not.toContain('{')
  },
)

test("a translation of the operator comes first, then the operator's page, then a translated default", async () => {
  const [withHeader, asked] = [{ 'accept-language': 'es-MX' }, '/api/pages/safety']
  const get = () => world.guest().send<{ title: string }>('GET', asked, { headers: withHeader })
  expect((await get()).body.title).toBe('Encuentros seguros')
  expect((await get()).headers.get('content-language')).toBe('es')

  await write('safety.md', '# Our advice')
  expect((await get()).body.title).toBe('Our advice')
  expect((await get()).headers.get('content-language')).toBe('en')

  await mkdir(join(folder, 'es'))
  await write('es/safety.md', '# Nuestros consejos')
  expect((await get()).body.title).toBe('Nuestros consejos')
  expect((await page('safety')).title).toBe('Our advice')
})
