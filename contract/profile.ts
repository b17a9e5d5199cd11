import { z } from 'zod/mini'
import { authMessages, profile } from './auth.ts'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { messageResponse, tokenField } from './fields.ts'
import { languageNames } from './languages.ts'
import {
  addressField,
  aptField,
  cityField,
  emailField,
  isRepeated,
  newPasswordField,
  optionalPostcodeIn,
  passwordField,
  personNameField,
  repeatedPasswordField,
  repeatedPasswordRule,
  stateField,
  usernameField,
} from './member-fields.ts'
import { msg } from './message.ts'

/**
 * Changes the given fields. An empty password is ignored; an empty location is deleted. A new password or e-mail requires
 * `current_password`, unless the session is younger than `recentLoginMs`.
 */
export function profileChangesIn(country: string) {
  return z.partial(
    z.object({
      first_name: personNameField('first'),
      last_name: personNameField('last'),
      username: usernameField,
      email: emailField(msg('Invalid email format')),
      city: cityField,
      state: stateField,
      zip_code: optionalPostcodeIn(country),
      address: addressField,
      apt: aptField,
      password: z.union([z.literal(''), newPasswordField]),
      language: z.enum(languageNames, msg('Please choose one of the languages of this site')),
      current_password: z.union([
        z.literal(''),
        passwordField(authMessages.enterCurrentPassword, authMessages.incorrectPassword),
      ]),
    }),
  )
}
export type ProfileChanges = z.output<ReturnType<typeof profileChangesIn>>

/** The form has the new password twice, the request once. */
export const passwordForm = z
  .object({
    password: newPasswordField,
    confirm_password: repeatedPasswordField,
    current_password: z.string(),
  })
  .check(z.refine(isRepeated, repeatedPasswordRule))

/** Returns the endpoint for a site in a country, whose postal codes it accepts. */
export function updateProfileIn(country: string) {
  return endpoint({
    method: 'PUT',
    path: '/auth/profile',
    summary: "Update the sent fields of the caller's profile",
    auth: 'member',
    body: profileChangesIn(country),
    response: { 200: profile },
  })
}
export const updateProfile = updateProfileIn('US')

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/auth/profile',
  summary: "Delete the caller's account and data",
  auth: 'member',
  body: z.object({ password: passwordField(msg('Password is required'), authMessages.wrongPassword) }),
  response: { 204: 'nothing' },
})

export const exportProfile = endpoint({
  method: 'GET',
  path: '/auth/export',
  summary: "Export all data of the caller's account",
  auth: 'member',
  response: { 200: z.record(z.string(), z.unknown()) },
})

export const mailMessages = {
  stopped: msg('We will not send you such mails any more'),
  alreadyStopped: msg('You have stopped these mails already'),
  stopInvalid: msg('This link is not valid'),
} as const

/** The URL of a mail's header `List-Unsubscribe` in a browser: the page that asks first, because scanners open links. */
export const openStopMails = endpoint({
  method: 'GET',
  path: '/mails/stop',
  summary: 'Open the page that unsubscribes from a kind of mail',
  auth: 'anyone',
  query: z.object({ token: tokenField(mailMessages.stopInvalid) }),
  response: { 303: 'nothing' },
})

/** One-click unsubscribe of mail programs (RFC 8058). Their form body is ignored. */
export const stopMails = endpoint({
  method: 'POST',
  path: '/mails/stop',
  summary: 'Unsubscribe from a kind of mail with its token',
  auth: 'anyone',
  query: z.object({ token: tokenField(mailMessages.stopInvalid) }),
  response: { 200: messageResponse },
})

/** Returns whether Intl knows the time zone, like `America/Los_Angeles`. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const radiusOutside = msg('Please choose a radius from {min} to {max}', {
  min: limits.near.min,
  max: limits.near.max,
})

/** `match_radius` is in miles, with decimals for round kilometres, null for anywhere. `time_zone` schedules notifications. Browsers set it; null means UTC. */
export const preferences = z.object({
  mail_matches: z.enum(['at_once', 'daily', 'never'], msg('Please choose at_once, daily or never')),
  mail_unread: z.boolean(msg('Please say whether unread messages are mailed')),
  mail_listings: z.boolean(msg('Please say whether the end of listings is mailed')),
  mail_trades: z.boolean(msg('Please say whether the steps of trades are mailed')),
  match_radius: z.nullable(
    z
      .number(radiusOutside)
      .check(z.minimum(limits.near.min, radiusOutside), z.maximum(limits.near.max, radiusOutside)),
  ),
  time_zone: z.nullable(
    z
      .string()
      .check(
        z.maxLength(100, { abort: true }),
        z.refine(isTimeZone, msg('Please give the name of a time zone')),
      ),
  ),
})
export type Preferences = z.output<typeof preferences>

export const getPreferences = endpoint({
  method: 'GET',
  path: '/auth/preferences',
  summary: 'Get the mail preferences',
  auth: 'member',
  response: { 200: preferences },
})

export const updatePreferences = endpoint({
  method: 'PUT',
  path: '/auth/preferences',
  summary: 'Update the sent mail preferences',
  auth: 'member',
  body: z.partial(preferences),
  response: { 200: preferences },
})
