import { z } from 'zod/mini'
import { image, limits } from './constants.ts'
import { deskActor } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { line, moment, pageFields, paragraphs } from './fields.ts'
import { type Language, languageNames } from './languages.ts'
import { emailField } from './member-fields.ts'
import { msg } from './message.ts'
import { type SitePageName, sitePageNames } from './site-pages.ts'

export const siteSettingMessages = {
  changedMeanwhile: msg(
    'Another operator has saved settings in the meantime. Please look at what has changed, and save again.',
  ),
  changed: msg('Another operator has changed this in the meantime'),
  noSuchVersion: msg('There is no such version of the settings'),
  logoNeeded: msg('Please choose a picture'),
  logoTooSmall: msg('Please choose a picture of at least {min} by {min} pixels', { min: image.logo.minSide }),
  logoShape: msg(
    'Please choose a picture at most {wide} times as wide as it is high, and at most {tall} times as high as it is wide',
    { wide: image.logo.wide, tall: image.logo.tall },
  ),
  swapHours: msg('Please give the hours, from 1 to 24'),
} as const

function wholeNumber(min: number, max: number) {
  const wrong = msg('Please give a whole number from {min} to {max}', { min, max })
  return z.int(wrong).check(z.minimum(min, wrong), z.maximum(max, wrong))
}

const needed = msg('Please give a name')
const tooLongFor = (max: number) => msg('Please use at most {max} characters', { max })

const wrongDay = msg('Please give a day like {day}', { day: '2026-05-31' })

/** Returns a schema for the URL of a page, without a script or a user name. */
function webAddressField(isAllowed: (text: string) => boolean) {
  return line(limits.url, tooLongFor(limits.url)).check(
    z.refine(isAllowed, msg('Please give an address like https://example.com')),
  )
}

function isOptional(isRight: (text: string) => boolean) {
  return (text: string) => text === '' || isRight(text)
}

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success
}

const webUrl = z.url({ protocol: /^https?$/ })

/** Returns whether a text is the URL of a page, without a user name. */
function isWebAddress(text: string): boolean {
  if (!webUrl.safeParse(text).success) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Returns the setting with the Markdown of a page in a language. Empty for the page of the environment. */
export function pageSetting(name: SitePageName, language: Language) {
  return `page_${name}_${language}` as const
}
export type PageSetting = ReturnType<typeof pageSetting>

export const pageSettings: readonly PageSetting[] = sitePageNames.flatMap((name) =>
  languageNames.map((language) => pageSetting(name, language)),
)

const pageText = paragraphs(limits.sitePage, tooLongFor(limits.sitePage))
const pageFieldsOfSettings = Object.fromEntries(pageSettings.map((name) => [name, pageText])) as Record<
  PageSetting,
  typeof pageText
>

export const registrationModes = ['open', 'invitation', 'approval'] as const
export type RegistrationMode = (typeof registrationModes)[number]

/** A picture that stands for the drawn name. `src` is its path, and `jpeg` that of its JPEG for mail programs and previews. */
const siteLogo = z.object({ src: z.string(), jpeg: z.string(), width: z.int(), height: z.int() })
export type SiteLogo = z.output<typeof siteLogo>

/** The settings of the site but its pages, which are long. */
const shortSettings = z.object({
  name: line(limits.siteName, tooLongFor(limits.siteName)).check(z.minLength(1, needed)),
  /** Is on the front page and where others show a link to the site. Without it, the site has its own, in the language of the reader. */
  sentence: line(limits.siteSentence, tooLongFor(limits.siteSentence)),
  /** Null for the drawn name of the release, or another name as text. */
  logo: z.nullable(siteLogo),
  /** A text above all pages, with the page where it goes on, until the end of a day everywhere. */
  banner_text: paragraphs(limits.banner, tooLongFor(limits.banner)),
  banner_link: webAddressField(isOptional(isWebAddress)),
  banner_last_day: line(limits.day, wrongDay).check(z.refine(isOptional(isDay), wrongDay)),
  /** Receives reports and answers to mails. */
  support_email: emailField(msg('Invalid email address')),
  social_links: z
    .array(
      z.object({
        name: line(limits.socialLink, tooLongFor(limits.socialLink)).check(z.minLength(1, needed)),
        url: webAddressField(isWebAddress),
      }),
    )
    .check(
      z.maxLength(limits.socialLinks, msg('Please give at most {max} links', { max: limits.socialLinks })),
    ),
  /** Says who can register: everybody, people with the invitation link of a member, or people whom a moderator approves. */
  registration: z.enum(registrationModes, msg('Please choose who can register')),
  /** To how many strangers a member can write first in a day: unconfirmed, in the first week, and later. */
  first_contacts_unconfirmed: wholeNumber(0, 9999),
  first_contacts_first_week: wholeNumber(0, 9999),
  first_contacts_later: wholeNumber(0, 9999),
  /** To how many strangers a member can send the same text in a day. */
  equal_texts: wholeNumber(1, 10_000),
  /** From one network. */
  registrations_per_hour: wholeNumber(1, 10_000),
  /** True if the desk sees the first listings of new members before others do. */
  hold_first_listings: z.boolean(),
})

/** The settings of the site that operators change at the desk. */
export const siteSettings = z.extend(shortSettings, pageFieldsOfSettings)
export type SiteSettings = z.output<typeof siteSettings>
export type SiteSetting = keyof SiteSettings

export const siteSettingNames = Object.keys(siteSettings.shape) as [SiteSetting, ...SiteSetting[]]

const someSettings = z.partial(siteSettings)

/** The settings that hold. Version 0 is that of the environment, until somebody saves. */
const currentSettings = z.object({
  version: z.int(),
  settings: shortSettings,
  /** When the swap day ends, if one is on. */
  swap_day_until: z.nullable(moment),
})
export type CurrentSettings = z.output<typeof currentSettings>

export const getSiteSettings = endpoint({
  method: 'GET',
  path: '/desk/site',
  summary: 'Get the settings of the site',
  auth: 'operator',
  response: { 200: currentSettings },
})

/** The version that the operator has seen. If there is a newer one, nothing is saved. */
const seenVersion = z.int().check(z.gte(0))

export const savedSettings = z.extend(someSettings, {
  /** Null removes it. A new one is uploaded. */
  logo: z.optional(z.null(siteSettingMessages.logoNeeded)),
  version: seenVersion,
})
export type SavedSettings = z.output<typeof savedSettings>

export const saveSiteSettings = endpoint({
  method: 'POST',
  path: '/desk/site',
  summary: 'Save settings of the site. The others stay',
  auth: 'operator',
  body: savedSettings,
  response: { 200: currentSettings },
})

export const saveSiteLogo = endpoint({
  method: 'POST',
  path: '/desk/site/logo',
  summary: 'Save a picture as the logo of the site',
  auth: 'operator',
  body: z.object({ version: seenVersion }),
  encoding: 'multipart',
  file: 'image',
  response: { 200: currentSettings },
})

export const settingsVersion = z.object({
  version: z.int(),
  actor: deskActor,
  created_at: moment,
  /** The version whose settings came back. */
  restores: z.nullable(z.int()),
  /** The settings that the version has changed, before and after it. Long texts are cut. */
  before: someSettings,
  after: someSettings,
})
export type SettingsVersion = z.output<typeof settingsVersion>

export const listSettingsVersions = endpoint({
  method: 'GET',
  path: '/desk/site/versions',
  summary: 'List the versions of the settings, newest first',
  auth: 'operator',
  query: z.object(pageFields),
  response: { 200: z.array(settingsVersion) },
})

export const restoreSettings = endpoint({
  method: 'POST',
  path: '/desk/site/restore',
  summary: 'Save the settings of an earlier version again. Version 0 is that of the environment',
  auth: 'operator',
  body: z.object({ version: seenVersion, restores: z.int().check(z.gte(0)) }),
  notFound: siteSettingMessages.noSuchVersion,
  response: { 200: currentSettings },
})

export const swapDay = z.object({
  hours: z
    .int(siteSettingMessages.swapHours)
    .check(z.minimum(1, siteSettingMessages.swapHours), z.maximum(24, siteSettingMessages.swapHours)),
})

export const openSwapDay = endpoint({
  method: 'POST',
  path: '/desk/site/swap-day',
  summary: 'Let the visitors of a swap, who share a network, register for some hours',
  auth: 'operator',
  body: swapDay,
  response: { 200: currentSettings },
})
