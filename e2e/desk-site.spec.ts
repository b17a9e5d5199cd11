import type { Locator, Page } from '@playwright/test'
import { getInvitationLink, replaceInvitationLink } from '#contract/invitations.ts'
import { getSiteSettings, saveSiteSettings } from '#contract/site-settings.ts'
import { type Account, expect, expectAccessible, navigate, phone, test } from './fixtures.ts'
import { Keyboard } from './keyboard.ts'
import { startOwnSite } from './own-site.ts'
import { makeModerator } from './sample-data.ts'
import { expectClosed } from './screens.ts'

test.use({ viewport: phone, isMobile: false, hasTouch: false })
test.describe.configure({ mode: 'serial' })

startOwnSite('e2e-site.log', { RATE_LIMITS: 'on' })

async function save({ actor }: Account, settings: object) {
  const { version } = await actor.call(getSiteSettings)
  await actor.call(saveSiteSettings, { body: { version, ...settings } })
}

test('an operator changes limits, sees who else has, and restores, by keyboard', async ({ world }) => {
  const [olga, otto] = await Promise.all([world.member('olga'), world.account('otto')])
  await makeModerator(olga, 'operator')
  await makeModerator(otto, 'operator')
  const { page, allowErrors } = olga
  allowErrors(/status of 4(09|22)/)
  const keys = new Keyboard(page)
  const limits = page.getByRole('region', { name: 'Limits' })
  const equalTexts = limits.getByLabel('Strangers a day that get the same text')
  const saveLimits = limits.getByRole('button', { name: 'save' })
  const newest = page.getByRole('region', { name: 'History' }).getByRole('listitem').first()

  await page.goto('/desk')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await keys.activate(page.getByRole('link', { name: 'Site', exact: true }))
  await expect(page).toHaveTitle('Settings of the site · Rhubarb')
  await expect(equalTexts).toHaveValue('5')
  await expectAccessible(page)

  await test.step('a wrong number has a sentence beside it, and stays', async () => {
    await keys.fill(equalTexts, 'many')
    await keys.activate(saveLimits)
    await expect(equalTexts).toHaveAccessibleDescription('Please give a whole number from 1 to 10000')
    await expect(equalTexts).toHaveValue('many')
    await expect(equalTexts).toBeFocused()
    await expectAccessible(page, 'a refused setting')
  })

  await test.step('another operator was faster', async () => {
    await save(otto, { equal_texts: 6, first_contacts_later: 41 })
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('7')
    await keys.activate(saveLimits)
    await expect(equalTexts).toHaveAccessibleDescription('Another operator has changed this in the meantime')
    await expect(equalTexts).toHaveValue('7')
    await expect(limits.getByLabel('Strangers a day after that')).toHaveValue('41')
    await expect(newest).toContainText(otto.username)
    await keys.activate(saveLimits)
    await expect(limits.getByRole('status')).toHaveText('The settings are saved.')
    await expect(newest).toContainText(olga.username)
    await expect(newest).toContainText('Strangers a day that get the same text: 6 7')
    await expect(newest.getByRole('button')).toHaveCount(0)
  })

  await test.step('an earlier version comes back', async () => {
    const second = page.getByRole('region', { name: 'History' }).getByRole('listitem').nth(1)
    await keys.activate(second.getByRole('button', { name: 'restore this version' }))
    await expectAccessible(page, 'the dialog to restore settings')
    await keys.activate(page.getByRole('dialog').getByRole('button', { name: 'restore' }))
    await expectClosed(page)
    await expect(equalTexts).toHaveValue('6')
    await expect(newest).toContainText('restored')
  })

  await test.step('the audit log has it', async () => {
    await navigate(page, '/desk/audit-log')
    const mine = page.getByRole('listitem').filter({ hasText: olga.username })
    await expect(mine).toContainText(['Earlier settings restored', 'Strangers a day that get the same text'])
  })
})

test('an operator changes the contact and the links, and opens a swap day', async ({ world }) => {
  const olga = await world.member('olga')
  await makeModerator(olga, 'operator')
  const { page, allowErrors } = olga
  allowErrors('status of 422')
  await page.goto('/desk/site')
  const contact = page.getByRole('region', { name: 'Contact' })
  const links = contact.getByLabel('Links to social networks')
  await links.fill('Fediverse javascript:alert(1)')
  await contact.getByRole('button', { name: 'save' }).click()
  await expect(links).toHaveAccessibleDescription('Please give an address like https://example.com')
  await links.fill('The Fediverse https://social.example/@us\n')
  await contact.getByLabel('Support address').fill('help@garden.example')

  // Saving one section does not make the next save of another one fail.
  const limits = page.getByRole('region', { name: 'Limits' })
  await limits.getByLabel('Strangers a day that get the same text').fill('9')
  await limits.getByRole('button', { name: 'save' }).click()
  await expect(limits.getByRole('status')).toHaveText('The settings are saved.')
  await contact.getByRole('button', { name: 'save' }).click()
  await expect(contact.getByRole('status')).toHaveText('The settings are saved.')

  const swap = page.getByRole('region', { name: 'Swap day' })
  await swap.getByLabel('Hours').fill('2')
  await swap.getByRole('button', { name: 'open a swap day' }).click()
  await expect(swap.getByRole('status')).toContainText('A swap day is on until')

  await page.goto('/')
  await expect(page.getByRole('contentinfo')).toContainText('help@garden.example')
  await expect(page.getByRole('link', { name: 'The Fediverse' })).toHaveAttribute(
    'href',
    'https://social.example/@us',
  )
  await expect(page.getByRole('link', { name: 'Instagram' })).toHaveCount(0)
})

test('an operator previews and saves a page in Markdown, and what is typed stays at another choice', async ({
  world,
}) => {
  const olga = await world.member('olga')
  await makeModerator(olga, 'operator')
  const { page } = olga
  const keys = new Keyboard(page)
  await page.goto('/desk/site')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  const pages = page.getByRole('region', { name: 'Pages' })
  const text = pages.getByLabel('Text in Markdown')
  await expect(text).toHaveValue(/^# Terms of use/)
  await keys.fill(text, '# Our rules\n\nBe **kind**. <script>alert(1)</script>')
  await keys.activate(pages.getByRole('button', { name: 'preview' }))
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Our rules' })).toBeVisible()
  await expect(preview).toContainText('Be kind. <script>alert(1)</script>')
  await expectAccessible(page, 'the preview of a page')
  await pages.getByLabel('Language').selectOption('Español')
  await expect(text).toHaveValue(/^# Términos de uso/)
  await pages.getByLabel('Language').selectOption('English')
  await expect(text).toHaveValue(/^# Our rules/)

  // It stays on another screen and after a reload, until it is saved or discarded.
  const restored = pages.getByText('Your changes from before are back.')
  await navigate(page, '/desk')
  await page.goto('/desk/site')
  await expect(restored).toBeVisible()
  await expect(text).toHaveValue(/^# Our rules/)
  await expectAccessible(page, 'the restored text of a page')
  await pages.getByLabel('Page').selectOption('Safety')
  await text.fill('# Not that')
  await page.reload()
  await pages.getByLabel('Page').selectOption('Safety')
  await pages.getByRole('button', { name: 'discard' }).click()
  await expect(restored).toHaveCount(0)
  await expect(text).not.toHaveValue('# Not that')
  await pages.getByLabel('Page').selectOption('Terms of use')
  await keys.activate(pages.getByRole('button', { name: 'save' }))
  await expect(pages.getByRole('status')).toHaveText('The settings are saved.')
  await page.reload()
  await expect(text).toHaveValue(/^# Our rules/)
  await expect(restored).toHaveCount(0)
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our rules')
  await expect(page.getByRole('main')).toContainText('Be kind. <script>alert(1)</script>')

  const { page: guest } = await world.visitor()
  await guest.goto('/terms?lang=de')
  await expect(guest.getByText('Diese Seite gibt es nur auf Englisch.')).toBeVisible()
  await expect(guest.locator('main div[lang="en"]')).toHaveCount(1)
})

test('an operator names the site and writes a banner, which everybody sees until they dismiss it', async ({
  world,
}) => {
  const [olga, guest] = await Promise.all([world.member('olga'), world.visitor()])
  await makeModerator(olga, 'operator')
  const { page } = olga
  const keys = new Keyboard(page)
  await page.goto('/desk/site')
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  const named = page.getByRole('region', { name: 'Name of the site' })
  await keys.fill(named.getByLabel('Name of the site'), 'Oak Street')
  await keys.fill(named.getByLabel('Sentence of the site'), 'Beans over <b>every</b> fence')
  await keys.activate(named.getByRole('button', { name: 'save' }))
  await expect(named.getByRole('status')).toHaveText('The settings are saved.')
  const banner = page.getByRole('region', { name: 'Banner' })
  await keys.fill(banner.getByLabel('Text of the banner'), 'Swap on <i>Sunday</i>')
  await banner.getByLabel('Link of the banner').fill('https://swap.example/')
  await banner.getByRole('button', { name: 'save' }).click()
  await expect(banner.getByRole('status')).toHaveText('The settings are saved.')

  await test.step('a member sees them at the next page', async () => {
    await page.reload()
    await expect(page).toHaveTitle('Settings of the site · Oak Street')
    const notice = page.getByRole('complementary', { name: 'Notice' })
    await expect(notice).toContainText('Swap on <i>Sunday</i>')
    await expect(notice.getByRole('link', { name: 'Read more' })).toHaveAttribute(
      'href',
      'https://swap.example/',
    )
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
    await expectAccessible(page, 'a page with a banner')
    await page.setViewportSize({ width: 1280, height: 800 })
    const startOf = async (part: Locator) => (await part.boundingBox())?.x
    expect(await startOf(notice.getByText('Swap on'))).toBe(
      await startOf(page.getByRole('link', { name: 'Oak Street, home' })),
    )
    await page.setViewportSize(phone)
    expect(await startOf(notice.getByText('Swap on'))).toBe(await startOf(named))
    await keys.activate(notice.getByRole('link', { name: 'Dismiss' }))
    await expect(notice).toHaveCount(0)
    await page.reload()
    await expect(named).toBeVisible()
    await expect(notice).toHaveCount(0)
  })

  await test.step('a guest sees them on the front page, which has no script, and on others', async () => {
    await guest.page.setViewportSize(phone)
    await guest.page.goto('/')
    await expect(guest.page.getByRole('heading', { level: 1 })).toHaveText('Beans over <b>every</b> fence')
    await expect(guest.page).toHaveTitle(/ · Oak Street$/)
    await expect(guest.page.getByRole('main')).toContainText('Oak Street')
    const notice = guest.page.getByRole('complementary', { name: 'Notice' })
    await expectAccessible(guest.page, 'the front page with a banner')
    await notice.getByRole('link', { name: 'Dismiss' }).click()
    await expect(guest.page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice).toHaveCount(0)
    await guest.page.goto('/login')
    await expect(guest.page.getByRole('link', { name: 'Oak Street, home' })).toBeVisible()
    await expect(notice).toHaveCount(0)
    const manifest = await guest.page.request.get('/manifest.webmanifest')
    expect(await manifest.json()).toMatchObject({ name: 'Oak Street', short_name: 'Oak Street' })
  })
})

test('a site by invitation shows the form only to who has a link, and what is typed stays when the link ends', async ({
  world,
}) => {
  const [olga, ann, guest] = await Promise.all([world.member('olga'), world.account('ann'), world.visitor()])
  await makeModerator(olga, 'operator')
  const section = olga.page.getByRole('region', { name: 'Registration' })
  const letRegister = async (choice: string) => {
    await section.getByLabel('Who can register').selectOption(choice)
    await section.getByRole('button', { name: 'save' }).click()
    await expect(section.getByRole('status')).toHaveText('The settings are saved.')
  }
  await olga.page.goto('/desk/site')
  await letRegister('Who has the link of a member')
  await expect(
    olga.page.getByRole('region', { name: 'History' }).getByRole('listitem').first(),
  ).toContainText('Who can register: Everybody Who has the link of a member')
  const { page, allowErrors } = guest
  allowErrors(/status of 40(3|4)/)
  await page.setViewportSize(phone)
  const sentence = page.getByText(
    'This site is by invitation. Please ask a neighbor who is a member for their link.',
  )
  const firstName = page.getByLabel('First name')

  await test.step('without a link, and with one that is not valid', async () => {
    await page.goto('/')
    await expect(sentence).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'How to join' }).first().click()
    await expect(sentence).toBeVisible()
    await expect(firstName).toHaveCount(0)
    await expectAccessible(page, 'a registration by invitation')
    await page.getByRole('link', { name: 'Login' }).click()
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.getByRole('link', { name: 'Register' }).click()
    await expect(sentence).toBeVisible()
    await page.goto('/register?invitation=1.forged')
    await expect(sentence).toBeVisible()
    await page.goto('/invited?invite=1.forged')
    await expect(sentence).toBeVisible()
    await expect(page.getByRole('link', { name: 'How to join' })).toBeVisible()
  })

  await test.step('with the link of a member, who replaces it in the meantime', async () => {
    const { url } = await ann.actor.call(getInvitationLink)
    await page.goto(pathOf(url))
    await page.getByRole('link', { name: 'Sign up' }).click()
    await fillRegistration(page, world.uniqueName('marta'))
    await ann.actor.call(replaceInvitationLink)
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'This site is by invitation. Please ask a neighbor who is a member for their link.',
    )
    await expect(firstName).toHaveValue('Marta')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('plum-crumble-42')
  })

  await test.step('with the newer link', async () => {
    const { url } = await ann.actor.call(getInvitationLink)
    await page.goto(pathOf(url))
    await page.getByRole('link', { name: 'Sign up' }).click()
    await fillRegistration(page, world.uniqueName('marta'))
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL(/\/personal-info/)
  })
  await letRegister('Everybody')
})

test('on a site by approval a registration waits until a moderator lets it in or refuses it', async ({
  world,
}) => {
  const [olga, guest, other] = await Promise.all([world.member('olga'), world.visitor(), world.visitor()])
  await makeModerator(olga, 'operator')
  await save(olga, { registration: 'approval' })
  const [marta, theo] = [world.uniqueName('marta'), world.uniqueName('theo')]
  const { page } = guest
  guest.allowErrors('status of 403')
  const ask = async (visitor: Page, username: string) => {
    await visitor.setViewportSize(phone)
    await visitor.goto('/')
    const notice = visitor.getByText('A volunteer looks at each registration, and then we send you a mail.')
    await expect(notice).toHaveCount(2)
    await visitor.getByRole('main').getByRole('link', { name: 'Ask to join' }).first().click()
    await expect(notice).toBeVisible()
    await fillRegistration(visitor, username)
    await visitor.getByRole('button', { name: 'Register' }).click()
    await expect(visitor.getByRole('status').filter({ hasText: 'Thank you.' })).toHaveText(
      'Thank you. A volunteer looks at your registration, and then we send you a mail.',
    )
    await expect(visitor.getByLabel('First name')).toHaveCount(0)
  }
  const enter = async () => {
    await page.getByLabel('Email').fill(`${marta}@example.com`)
    await page.getByLabel('Password').fill('plum-crumble-42')
    await page.getByRole('button', { name: 'Login' }).click()
  }

  await test.step('who is invited reads it too', async () => {
    const { url } = await olga.actor.call(getInvitationLink)
    await page.goto(pathOf(url))
    await expect(page.getByText('A volunteer looks at each registration')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ask to join' })).toBeVisible()
  })

  await test.step('who registers reads what follows, and waits at the login', async () => {
    await ask(page, marta)
    await expectAccessible(page, 'a registration that waits')
    await ask(other.page, theo)
    await page.getByRole('link', { name: 'Login' }).click()
    await enter()
    await expect(page.getByRole('alert')).toHaveText(
      'A volunteer still looks at your registration. We send you a mail then.',
    )
  })

  await test.step('a moderator, told in the app, decides by keyboard', async () => {
    const keys = new Keyboard(olga.page)
    await olga.page.goto('/notifications')
    await olga.page
      .getByRole('link', { name: 'Somebody has registered and waits for a moderator' })
      .first()
      .click()
    await expect(olga.page).toHaveURL('/desk/members')
    const waiting = olga.page.getByRole('region', { name: 'They wait to be let in' })
    await expect(waiting.getByRole('listitem')).toHaveCount(2)
    await expectAccessible(olga.page, 'registrations that wait')
    await keys.activate(waiting.getByRole('button', { name: `refuse ${theo}` }))
    await olga.page.getByRole('dialog').getByLabel('Reason').fill('We do not know you')
    await expectAccessible(olga.page, 'the dialog to refuse a registration')
    await keys.activate(olga.page.getByRole('dialog').getByRole('button', { name: 'refuse', exact: true }))
    await expectClosed(olga.page)
    await expect(waiting.getByRole('listitem')).toHaveCount(1)
    await keys.activate(waiting.getByRole('button', { name: `let in ${marta}` }))
    await expect(waiting).toHaveCount(0)
    await expect(olga.page.getByRole('link', { name: marta })).toBeVisible()
  })

  await test.step('who was let in logs in', async () => {
    await enter()
    await expect(page).toHaveURL(/\/my-listings/)
  })
  await save(olga, { registration: 'open' })
})

function pathOf(url: string) {
  const { pathname, search } = new URL(url)
  return pathname + search
}

async function fillRegistration(page: Page, username: string) {
  const fields = {
    'First name': 'Marta',
    'Last name': 'Oduya',
    Username: username,
    Email: `${username}@example.com`,
    Password: 'plum-crumble-42',
    'Confirm password': 'plum-crumble-42',
  }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

test('the settings are Page Not Found for a moderator, who has no link to them', async ({ world }) => {
  const maud = await world.member('maud')
  await makeModerator(maud)
  const { page, allowErrors } = maud
  allowErrors(/status of 404.*\/desk/)
  await page.goto('/desk')
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Site', exact: true })).toHaveCount(0)
  await navigate(page, '/desk/site')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
