import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { register } from '#contract/auth.ts'
import { listAuditLog } from '#contract/desk.ts'
import { sendTestMail } from '#contract/mail-queue.ts'
import { messageErrorMessages, sendMessage } from '#contract/messages.ts'
import {
  getSitePage,
  getSitePageSource,
  previewSitePage,
  type SitePageName,
  sitePageNames,
} from '#contract/site-pages.ts'
import {
  getSiteSettings,
  listSettingsVersions,
  openSwapDay,
  restoreSettings,
  type SavedSettings,
  saveSiteSettings,
  siteSettingMessages,
} from '#contract/site-settings.ts'
import { json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'
import { bannerOf } from './banner.ts'

const world = await newWorld({ rateLimits: true, config: { registrationsPerHour: 1, equalTexts: 7 } })
const elsewhere = await world.node()
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [olga, otto] = await world.members('olga', 'otto')
await admin(world, 'grant', 'olga', 'operator')
await admin(world, 'grant', 'otto', 'operator')

const current = (operator = olga) => operator.call(getSiteSettings)

/** Saves settings as an operator who has seen the newest version. */
async function save(settings: Omit<SavedSettings, 'version'>, operator = olga) {
  const { version } = await current(operator)
  return operator.call(saveSiteSettings, { body: { version, ...settings } })
}

test('a setting that nobody has saved is that of the environment', async () => {
  expect(await current()).toEqual({
    version: 0,
    settings: expect.objectContaining({
      registrations_per_hour: 1,
      equal_texts: 7,
      first_contacts_later: 60,
      hold_first_listings: false,
      support_email: 'hello@rhubarb.example',
    }),
    swap_day_until: null,
  })
})

test('a saved setting holds at once, at every node, and stays when the environment changes', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await sql`update users set email_confirmed_at = now()`.execute(world.db)
  await save({ first_contacts_first_week: 0 })
  const write = () => elsewhere.as(ann).try(sendMessage, { body: { receiver_id: bob.id, content: 'Hello' } })
  await expect
    .poll(async () => (await write()).body)
    .toMatchObject({ detail: messageErrorMessages.tooManyFirstContacts })
  await save({ first_contacts_first_week: 500 })
  await expect.poll(async () => (await write()).status).toBe(201)

  await using later = await world.node({ equalTexts: 9 })
  expect((await later.as(olga).call(getSiteSettings)).settings).toMatchObject({
    first_contacts_first_week: 500,
    equal_texts: 9,
  })
})

test('a node that has lost its connection reads what was saved in the meantime', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'rhubarb listener'`.execute(world.db)
  await save({ registrations_per_hour: 2 })
  const join = () =>
    elsewhere
      .guest()
      .try(register, { body: registrationOf({ username: `visitor_${crypto.randomUUID().slice(0, 8)}` }) })
  await expect.poll(async () => (await join()).status, { timeout: 10_000 }).toBe(429)
  await save({ registrations_per_hour: 500 })
  await expect.poll(async () => (await join()).status, { timeout: 10_000 }).toBe(201)
})

test('of two operators who save at once the second is told what has changed, and saves again', async () => {
  const { version } = await save({ equal_texts: 5 })
  await otto.call(saveSiteSettings, { body: { version, equal_texts: 6, first_contacts_later: 40 } })
  const late = await olga.try(saveSiteSettings, { body: { version, equal_texts: 8 } })
  expect(late).toMatchObject({
    status: 409,
    body: {
      detail: siteSettingMessages.changedMeanwhile,
      errors: [
        { field: 'first_contacts_later', message: siteSettingMessages.changed },
        { field: 'equal_texts', message: siteSettingMessages.changed },
      ],
    },
  })
  expect((await current()).settings).toMatchObject({ equal_texts: 6, first_contacts_later: 40 })

  const body = { version: version + 1, equal_texts: 8 }
  expect(await olga.call(saveSiteSettings, { body })).toMatchObject({
    version: version + 2,
    settings: { equal_texts: 8, first_contacts_later: 40 },
  })
  // The same again, as after a lost response.
  expect((await olga.call(saveSiteSettings, { body })).version).toBe(version + 2)
  expect((await olga.try(saveSiteSettings, { body: { ...body, equal_texts: 9 } })).status).toBe(409)
})

test('of ten saves at the same moment one is stored', async () => {
  const { version } = await current()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      (nth % 2 ? olga : elsewhere.as(otto)).try(saveSiteSettings, {
        body: { version, equal_texts: 100 + nth },
      }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
  expect((await current()).version).toBe(version + 1)
})

test('the history says who changed what, and an earlier version comes back', async () => {
  const { version } = await save({ equal_texts: 20, hold_first_listings: true })
  await save({ equal_texts: 30 }, otto)
  const [second, first] = await olga.call(listSettingsVersions, { query: {} })
  expect(second).toMatchObject({
    version: version + 1,
    actor: { username: 'otto' },
    restores: null,
    before: { equal_texts: 20 },
    after: { equal_texts: 30 },
  })
  expect(first).toMatchObject({ actor: { username: 'olga' }, after: { hold_first_listings: true } })

  const body = { version: version + 1, restores: version }
  expect(await olga.call(restoreSettings, { body })).toMatchObject({
    version: version + 2,
    settings: { equal_texts: 20, hold_first_listings: true },
  })
  expect((await olga.call(restoreSettings, { body })).version).toBe(version + 2)
  expect((await otto.try(restoreSettings, { body: { ...body, restores: version - 1 } })).status).toBe(409)
  const unknown = await olga.try(restoreSettings, { body: { version: version + 2, restores: 999_999 } })
  expect(unknown).toMatchObject({ status: 404, body: { detail: siteSettingMessages.noSuchVersion } })

  const environment = await olga.call(restoreSettings, { body: { version: version + 2, restores: 0 } })
  expect(environment.settings).toMatchObject({ equal_texts: 7, hold_first_listings: false })

  const log = await olga.call(listAuditLog, { query: { target_type: 'site', limit: 3 } })
  expect(log).toMatchObject([
    { action: 'site_restored', actor: { username: 'olga' }, reason: '0' },
    { action: 'site_restored', actor: { username: 'olga' }, reason: String(version) },
    { action: 'site_saved', actor: { username: 'otto' }, reason: 'equal_texts' },
  ])
})

test('the history is read in pages', async () => {
  const all = await olga.call(listSettingsVersions, { query: {} })
  const { body, headers } = await olga.send('GET', '/api/desk/site/versions?limit=2')
  expect(body).toEqual(all.slice(0, 2))
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  expect((await olga.send('GET', next)).body).toEqual(all.slice(2, 4))
})

test('nobody can change the history', async () => {
  for (const change of [
    sql`update site_versions set settings = '{}'`,
    sql`delete from site_versions`,
    sql`truncate site_versions`,
  ])
    await expect(change.execute(world.db)).rejects.toThrow(/site_versions/)
})

test('a swap day that the audit log can not have is not opened', async () => {
  await using _ = await world.failCommits('audit_log')
  expect((await olga.try(openSwapDay, { body: { hours: 2 } })).status).toBeGreaterThanOrEqual(500)
  expect((await current()).swap_day_until).toBeNull()
})

test('the swap day of the desk is that of the shell, and both are in the audit log', async () => {
  expect((await olga.call(openSwapDay, { body: { hours: 2 } })).swap_day_until).not.toBeNull()
  expect(await admin(world, 'swap-day', '6')).toMatchObject({ code: 0 })
  const { swap_day_until } = await current()
  const hours = (Date.parse(swap_day_until ?? '') - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(6)
  expect(await olga.call(listAuditLog, { query: { action: 'swap_day_opened' } })).toMatchObject([
    { actor: null, reason: '6' },
    { actor: { username: 'olga' }, reason: '2' },
  ])
  expect((await olga.try(openSwapDay, { body: { hours: 25 } })).body).toMatchObject({
    errors: [{ field: 'hours', message: siteSettingMessages.swapHours }],
  })
})

test.each([
  [{ equal_texts: 0 }, 'equal_texts', 'Please give a whole number from 1 to 10000'],
  [{ equal_texts: null }, 'equal_texts', 'Please give a whole number from 1 to 10000'],
  [{ first_contacts_later: 1.5 }, 'first_contacts_later', 'Please give a whole number from 0 to 9999'],
  [{ name: '' }, 'name', 'Please give a name'],
  [{ name: 'Oak\r\nBcc: c@d.example' }, 'name', 'Please remove characters that can not be shown'],
  [{ name: 'Oak \u202eteertS' }, 'name', 'Please remove characters that change the direction of text'],
  [{ name: 'x'.repeat(41) }, 'name', 'Please use at most 40 characters'],
  [{ sentence: 'x'.repeat(599) }, 'sentence', 'Please use at most 200 characters'],
  [{ banner_text: 'x'.repeat(301) }, 'banner_text', 'Please use at most 300 characters'],
  [{ banner_link: 'javascript:alert(1)' }, 'banner_link', 'Please give an address like https://example.com'],
  [
    { banner_link: 'https://user:word@a.example/' },
    'banner_link',
    'Please give an address like https://example.com',
  ],
  [{ banner_last_day: '2026-02-30' }, 'banner_last_day', 'Please give a day like 2026-05-31'],
  [{ support_email: 'nobody' }, 'support_email', 'Invalid email address'],
  [
    { support_email: 'a@b.example\r\nBcc: c@d.example' },
    'support_email',
    'Please remove characters that can not be shown',
  ],
  [
    { social_links: [{ name: 'Us', url: 'javascript:alert(1)' }] },
    'social_links.0.url',
    'Please give an address like https://example.com',
  ],
  [{ social_links: [{ name: '', url: 'https://a.example' }] }, 'social_links.0.name', 'Please give a name'],
  [
    { social_links: Array.from({ length: 11 }, () => ({ name: 'Us', url: 'https://a.example' })) },
    'social_links',
    'Please give at most 10 links',
  ],
])('refuses %j with a sentence', async (wrong, field, message) => {
  const { version } = await current()
  const { status, body } = await olga.send('POST', '/api/desk/site', json({ version, ...wrong }))
  expect([status, body]).toMatchObject([422, { errors: expect.arrayContaining([{ field, message }]) }])
  expect((await current()).version).toBe(version)
})

test('a stored setting that this release does not accept is that of the environment', async () => {
  const { version } = await current()
  await world.db
    .insertInto('site_versions')
    .values({ version: version + 1, settings: JSON.stringify({ equal_texts: 'many', from_later: 1 }) })
    .execute()
  expect(await current()).toMatchObject({ version: version + 1, settings: { equal_texts: 7 } })
})

test('a saved page shows at once at every node, in its language, with the markup of its preview', async () => {
  const page = (language: 'en' | 'es', node = elsewhere) =>
    node.guest().call(getSitePage, { params: { name: 'terms' }, query: { language } })
  const before = { en: await page('en'), es: await page('es') }
  const source = () => olga.call(getSitePageSource, { params: { name: 'terms' }, query: { language: 'es' } })
  expect(await source()).toMatchObject({ is_saved: false, text: expect.stringContaining(before.es.title) })

  const text = '# Our <b>rules</b>\n\n<script>alert(1)</script> [x](javascript:alert(1)) [us](/safety)'
  const preview = await olga.call(previewSitePage, {
    params: { name: 'terms' },
    query: { language: 'en' },
    body: { text },
  })
  expect(preview).toEqual({
    title: 'Our <b>rules</b>',
    html: '<p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) <a href="/safety">us</a></p>\n',
    language: 'en',
  })
  expect(await page('en')).toEqual(before.en)
  await save({ page_terms_en: text })
  await expect.poll(() => page('en')).toEqual(preview)
  // The rules that an operator has written come before a translated default.
  expect(await page('es')).toEqual(preview)

  await save({ page_terms_es: '# Nuestras reglas' })
  await expect.poll(async () => (await page('es')).title).toBe('Nuestras reglas')
  expect(await source()).toEqual({ is_saved: true, text: '# Nuestras reglas' })
  expect((await page('en')).title).toBe(preview.title)

  await save({ page_terms_en: '', page_terms_es: ' ' })
  await expect.poll(() => page('es')).toEqual(before.es)
})

test('a saved name is in the pages as it is, never as markup', async () => {
  await save({ name: '1. *Oak* [x](/y) & `Co`' })
  const page = (name: SitePageName) => world.guest().call(getSitePage, { params: { name }, query: {} })
  for (const name of sitePageNames) expect((await page(name)).html).toContain('1. *Oak* [x](/y) &amp; `Co`')

  await save({ page_terms_en: '# Rules of {site_name}' })
  expect((await page('terms')).title).toBe('Rules of 1. *Oak* [x](/y) & `Co`')
  await save({ page_terms_en: '', name: 'Rhubarb' })
})

test('a page has at most 20,000 characters, and the history shows its start', async () => {
  const { version } = await current()
  const long = 'ä'.repeat(20_001)
  const refused = await olga.try(saveSiteSettings, { body: { version, page_safety_de: long } })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'page_safety_de' }] } })
  await save({ page_safety_de: long.slice(1) })
  const [newest] = await olga.call(listSettingsVersions, { query: {} })
  expect(newest?.after.page_safety_de).toBe(`${'ä'.repeat(300)}…`)
  await save({ page_safety_de: '' })
})

test('a saved support contact is in mails, pages and security.txt', async () => {
  await save({ support_email: 'help@garden.example', social_links: [] })
  const text = await fetch(`${world.url}/.well-known/security.txt`)
  expect(await text.text()).toContain('Contact: mailto:help@garden.example')
  const { body } = await world.guest().send<{ html: string }>('GET', '/api/pages/terms')
  expect(body.html).toContain('mailto:help@garden.example')
})

test('a saved name is in the sender, the text and the look of mails; the address of the sender stays', async () => {
  /** Returns a test mail with a subject. Any node may send it, also one that has yet to hear of the name. */
  const mailWithSubject = async (subject: string) => {
    const to = `${crypto.randomUUID()}@example.com`
    const sent = async () => {
      await olga.call(sendTestMail, { body: { email: to } })
      await world.jobsDone()
      return world.mailTo({ email: to }).find((mail) => mail.subject === subject)
    }
    await expect.poll(sent).toBeDefined()
    return sent()
  }

  await save({ name: 'Oak "Street" <Garden>' })
  const mail = await mailWithSubject('Test mail of Oak "Street" <Garden>')
  expect(mail?.from).toBe('hello@rhubarb.example')
  expect(mail?.headers.get('from')).toBe('"Oak \\"Street\\" <Garden>" <hello@rhubarb.example>')
  expect(mail?.html).toContain('Oak &quot;Street&quot; &lt;Garden&gt;</span>')
  expect(mail?.html).not.toContain('wordmark.png')

  await save({ name: 'Rhubarb' })
  const again = await mailWithSubject('Test mail of Rhubarb')
  expect(again?.html).toContain('wordmark.png')
})

test('a banner ends when its last day is over everywhere, and another text is another banner', () => {
  vi.useFakeTimers({ now: new Date('2026-06-01T11:59:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const banner = { banner_text: 'Swap on Sunday', banner_link: '', banner_last_day: '2026-05-31' }
  const shown = bannerOf(banner)
  expect(shown).toMatchObject({ text: 'Swap on Sunday', link: '' })
  expect(bannerOf({ ...banner, banner_text: 'Swap on Monday' })?.id).not.toBe(shown?.id)
  vi.setSystemTime(new Date('2026-06-01T12:01:00Z'))
  expect(bannerOf(banner)).toBeUndefined()
  expect(bannerOf({ ...banner, banner_last_day: '' })?.id).toBe(shown?.id)
  expect(bannerOf({ ...banner, banner_text: '' })).toBeUndefined()
})
