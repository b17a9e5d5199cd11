import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/desk.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { sendTestMail } from '#contract/mail-queue.ts'
import { deleteProfile } from '#contract/profile.ts'
import {
  getSiteSettings,
  listSettingsVersions,
  restoreSettings,
  type SiteLogo,
  saveSiteLogo,
  saveSiteSettings,
  siteSettingMessages,
} from '#contract/site-settings.ts'
import { sweepUnusedImages } from '#server/features/images/jobs.ts'
import { json } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { blob, photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const elsewhere = await world.node()
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [olga] = await world.members('olga')
await admin(world, 'grant', 'olga', 'operator')

const settingsOf = async (operator = olga) => (await operator.call(getSiteSettings)).settings
const upload = async (file: Blob | undefined, operator = olga) =>
  operator.try(saveSiteLogo, { body: { version: (await operator.call(getSiteSettings)).version }, file })

/** Saves a picture as the logo and returns the setting. */
async function saveLogo(size: { width: number; height: number; color?: string }, operator = olga) {
  expect((await upload(await photo(size), operator)).status).toBe(200)
  return (await settingsOf(operator)).logo as SiteLogo
}

const isShown = async ({ src }: SiteLogo) => (await fetch(world.url + src)).status === 200
const imageRows = () => world.db.selectFrom('images').select(['name', 'owner_id', 'purpose']).execute()

test('an operator saves a logo, which guests get re-encoded, as WebP and JPEG, with the headers of pictures', async () => {
  const png = await sharp({ create: { width: 1600, height: 400, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()
  expect((await upload(blob(png, 'image/png'))).status).toBe(200)
  const { logo } = await settingsOf()
  expect(logo).toMatchObject({ width: 640, height: 160 })
  for (const [path, type] of [
    [logo?.src, 'webp'],
    [logo?.jpeg, 'jpeg'],
  ]) {
    const response = await fetch(`${world.url}${path}`)
    expect(response.headers.get('content-type')).toBe(`image/${type}`)
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const picture = sharp(Buffer.from(await response.arrayBuffer()))
    // Transparent parts become white, so that dark lettering is readable everywhere.
    expect((await picture.stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255])
  }
  expect(await imageRows()).toMatchObject([{ owner_id: null, purpose: 'logo' }])
  expect(await olga.call(listAuditLog, { query: { target_type: 'site', limit: 1 } })).toMatchObject([
    { action: 'site_saved', actor: { username: 'olga' }, reason: 'logo' },
  ])
})

test('a logo of each accepted size is saved with its shape', async () => {
  expect(await saveLogo({ width: 256, height: 32 })).toMatchObject({ width: 256, height: 32 })
  expect(await saveLogo({ width: 500, height: 1000 })).toMatchObject({ width: 96, height: 192 })
})

test('a file that is no picture or does not fit the header has a sentence, and nothing is stored', async () => {
  const { version } = await olga.call(getSiteSettings)
  const before = await imageRows()
  const svg = blob('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml')
  const notAnImage = { status: 415, body: { detail: errorMessages.notAnImage } }
  const wrongShape = {
    status: 422,
    body: { errors: [{ field: 'image', message: siteSettingMessages.logoShape }] },
  }
  const tooSmall = {
    status: 422,
    body: { errors: [{ field: 'image', message: siteSettingMessages.logoTooSmall }] },
  }
  for (const [file, expected] of [
    [svg, notAnImage],
    [blob('no picture', 'image/png'), notAnImage],
    [await photo({ width: 330, height: 40 }), wrongShape],
    [await photo({ width: 40, height: 90 }), wrongShape],
    [await photo({ width: 3000, height: 1 }), wrongShape],
    [await photo({ width: 31, height: 31 }), tooSmall],
    [
      undefined,
      { status: 422, body: { errors: [{ field: 'image', message: siteSettingMessages.logoNeeded }] } },
    ],
  ] as const)
    expect(await upload(file)).toMatchObject(expected)
  expect((await olga.call(getSiteSettings)).version).toBe(version)
  expect(await imageRows()).toEqual(before)
})

test('settings can not name a picture that was not uploaded as the logo', async () => {
  const { version } = await olga.call(getSiteSettings)
  const logo = { src: 'https://elsewhere.example/x.png', jpeg: '/x', width: 9, height: 9 }
  const { status, body } = await olga.send('POST', '/api/desk/site', json({ version, logo }))
  expect([status, body]).toMatchObject([
    422,
    { errors: [{ field: 'logo', message: siteSettingMessages.logoNeeded }] },
  ])
})

test('an operator who has not seen the newest settings is told, and the picture is not kept', async () => {
  const { version } = await olga.call(getSiteSettings)
  await olga.call(saveSiteSettings, { body: { version, equal_texts: 9 } })
  const before = await imageRows()
  const late = await olga.try(saveSiteLogo, { body: { version }, file: await photo() })
  expect(late).toMatchObject({ status: 409, body: { detail: siteSettingMessages.changedMeanwhile } })
  expect(await imageRows()).toEqual(before)
})

test('the history shows each logo, and restores the one of an earlier version, also after it was removed', async () => {
  const first = await saveLogo({ width: 300, height: 100 })
  const { version } = await olga.call(getSiteSettings)
  const second = await saveLogo({ width: 200, height: 100 })
  await olga.call(saveSiteSettings, { body: { version: version + 1, logo: null } })
  expect((await settingsOf()).logo).toBeNull()
  expect(await olga.call(listSettingsVersions, { query: { limit: 2 } })).toMatchObject([
    { before: { logo: second }, after: { logo: null } },
    { before: { logo: first }, after: { logo: second } },
  ])

  // A day later unused uploads are deleted. Those of the history stay.
  await world.db.updateTable('images').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  await world.runJob(sweepUnusedImages)
  await world.jobsDone()
  expect(await isShown(second)).toBe(true)
  await olga.call(restoreSettings, { body: { version: version + 2, restores: version } })
  expect((await settingsOf()).logo).toEqual(first)
  expect(await isShown(first)).toBe(true)
})

test('a saved logo is in mails of every node with the name of the site, in the size of its place', async () => {
  const logo = await saveLogo({ width: 640, height: 160 })
  const { version } = await olga.call(getSiteSettings)
  await olga.call(saveSiteSettings, { body: { version, name: 'Oak "Street"' } })
  const mailFrom = async () => {
    const to = `${crypto.randomUUID()}@example.com`
    await elsewhere.as(olga).call(sendTestMail, { body: { email: to } })
    await world.jobsDone()
    return world.mailTo({ email: to })[0]?.html ?? ''
  }
  const picture = `${logo.jpeg}" width="256" height="64" alt="Oak &quot;Street&quot;"`
  await expect
    .poll(mailFrom)
    .toSatisfy((html: string) => html.includes(picture) && !html.includes('wordmark.png'))

  await olga.call(saveSiteSettings, { body: { version: version + 1, logo: null, name: 'Rhubarb' } })
  await expect.poll(mailFrom).toContain('wordmark.png')
})

test('a logo stays when the operator who has saved it leaves', async () => {
  const [otto] = await world.uniqueMembers('otto')
  await admin(world, 'grant', otto.username, 'operator')
  const logo = await saveLogo({ width: 320, height: 80 }, otto)
  await otto.call(deleteProfile, { body: { password: otto.password } })
  await world.jobsDone()
  expect((await settingsOf()).logo).toEqual(logo)
  expect(await isShown(logo)).toBe(true)
})
