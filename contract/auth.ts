import { z } from 'zod/mini'
import { confirmationDays, limits, resetMinutes } from './constants.ts'
import { deskRoles } from './desk-roles.ts'
import { endpoint } from './endpoint.ts'
import { hasFields, identifier, messageResponse, secret, tokenField } from './fields.ts'
import { languageNames } from './languages.ts'
import {
  addressField,
  aptField,
  cityField,
  emailField,
  isRepeated,
  newPasswordField,
  passwordField,
  personNameField,
  postcodeIn,
  repeatedPasswordField,
  repeatedPasswordRule,
  stateField,
  usernameField,
} from './member-fields.ts'
import { msg } from './message.ts'

export const authMessages = {
  incorrectLogin: msg('Incorrect email or password'),
  emailTaken: msg('An account with this email already exists'),
  usernameTaken: msg('This username is already taken'),
  commonPassword: msg('This password is too common; please choose another one'),
  suspended: msg('This account is suspended. Please write to us if you think that is a mistake.'),
  /** For a registration on a site by approval, and for a login before a moderator has answered it. */
  requested: msg('Thank you. A volunteer looks at your registration, and then we send you a mail.'),
  waiting: msg('A volunteer still looks at your registration. We send you a mail then.'),
  noAvatar: msg('No profile photo'),
  resetRequested: msg('If an account exists with this email, you will receive a password reset link'),
  resetDone: msg('Your password has been reset'),
  resetInvalid: msg('Invalid or expired reset token'),
  resetUsed: msg('This link was used already. Please request a new one.'),
  resetReplaced: msg('A newer mail has replaced this link. Please use the link in the newest mail.'),
  resetRevoked: msg(
    'Your password or e-mail has changed since this link was sent. Please request a new one.',
  ),
  resetExpired: msg(
    'This link has expired, because it works for {minutes} minutes. Please request a new one.',
    { minutes: resetMinutes },
  ),
  confirmed: msg('Your e-mail address is confirmed'),
  confirmInvalid: msg('This link is unknown. Please check that you have copied all of it.'),
  confirmUsed: msg('This link was used already. Please log in and send yourself a new one.'),
  confirmReplaced: msg('A newer mail has replaced this link. Please use the link in the newest mail.'),
  confirmExpired: msg(
    'This link has expired, because it works for {days} days. Please log in and send yourself a new one.',
    { days: confirmationDays },
  ),
  confirmOtherAddress: msg('The account does not have this e-mail address any more'),
  disowned: msg('No account has your e-mail address by this registration any more'),
  disownConfirmed: msg(
    'Your address was confirmed from your mailbox, so the account is yours. To end it, set a new password and delete the account in the profile.',
  ),
  noAddress: msg('Your account has no e-mail address. Please add one in your profile.'),
  confirmationSent: msg('We have sent you a new confirmation link'),
  alreadyConfirmed: msg('Your e-mail address is already confirmed'),
  /** For the deletion of an account. */
  wrongPassword: msg('This is not your password'),
  /** For a change of the password or e-mail. */
  incorrectPassword: msg('Incorrect password'),
  tooManyChanges: msg('You can change your password or e-mail at most {max} times a day', {
    max: limits.loginChangesPerDay,
  }),
  tooManyUsernames: msg('You can change your username at most {max} times a day', {
    max: limits.usernameChangesPerDay,
  }),
  enterCurrentPassword: msg('Please enter your current password'),
} as const

export const newMember = z.object({
  first_name: personNameField('first'),
  last_name: personNameField('last'),
  username: usernameField,
  email: emailField(msg('Invalid email format')),
  password: newPasswordField,
})
export type NewMember = z.output<typeof newMember>

/** `invitation` is the `invite` of a member's invitation link. An invalid one is ignored, unless the site is by invitation. */
export const registration = z.extend(newMember, {
  invitation: z.optional(identifier(200)),
})
export type Registration = z.output<typeof registration>

/** The form has the password twice, the request once. */
export const registerForm = z
  .extend(newMember, { confirm_password: repeatedPasswordField })
  .check(z.refine(isRepeated, repeatedPasswordRule))

/** The form of OAuth's password grant. `username` is the e-mail. */
export const credentials = z.object({
  username: emailField(msg('Invalid email format')),
  // A password that is too long can not be anybody's.
  password: passwordField(msg('Password is required'), authMessages.incorrectLogin),
})
export type Credentials = z.output<typeof credentials>

/** The caller's own profile. `email` is empty if the account has none. */
export const profile = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  email_confirmed: z.boolean(),
  /** True if the mailbox of the address refused a mail, until the address is confirmed or replaced. */
  email_refused: z.boolean(),
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  zip_code: z.nullable(z.string()),
  /** The street address. No other member sees it. */
  address: z.nullable(z.string()),
  apt: z.nullable(z.string()),
  /** False if the place is unknown, so that distances are too. */
  location_known: z.boolean(),
  profile_picture: z.nullable(z.string()),
  friend_count: z.int(),
  /** The language of mails, pushes and notifications. Null stands for English. */
  language: z.nullable(z.enum(languageNames)),
  /** The role at the desk of those who run the site. */
  desk_role: z.nullable(z.enum(deskRoles)),
})
export type Profile = z.output<typeof profile>

/** The response to a login. */
export const login = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  user: z.object({
    id: z.int(),
    username: z.string(),
    first_name: z.string(),
    profile_picture: z.nullable(z.string()),
    language: z.nullable(z.enum(languageNames)),
  }),
})
export type Login = z.output<typeof login>

/** Returns the form of the personal-info screen for a site in a country. Empty address and apt are not sent. */
export function personalInfoFormIn(country: string) {
  return z.object({
    city: cityField.check(z.minLength(1, msg('City is required'))),
    state: stateField.check(z.minLength(1, msg('State is required'))),
    postcode: postcodeIn(country),
    address: z.optional(addressField),
    apt: z.optional(aptField),
  })
}
export const personalInfoForm = personalInfoFormIn('US')

/** All fields are optional. The given ones are validated and saved. */
const personalInfo = z.partial(personalInfoForm)
export type PersonalInfo = z.output<typeof personalInfo>

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary:
    'Register a member, whose language is the best for the Accept-Language header, or ask for it on a site by approval',
  auth: 'anyone',
  body: registration,
  /** 202 on a site by approval: a moderator has to let them in. */
  response: { 201: profile, 202: messageResponse },
})

export const logIn = endpoint({
  method: 'POST',
  path: '/auth/login',
  summary:
    'Log in with e-mail and password. A member without a language takes that of the Accept-Language header',
  auth: 'anyone',
  body: credentials,
  encoding: 'form',
  response: { 200: login },
})

export const logOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Log out: end this session',
  auth: 'member',
  response: { 204: 'nothing' },
})

export const getProfile = endpoint({
  method: 'GET',
  path: '/auth/profile',
  summary: "Get the caller's profile",
  auth: 'member',
  response: { 200: profile },
})

/** Returns the endpoint for a site in a country, whose postal codes it accepts. */
export function uploadProfileImageIn(country: string) {
  return endpoint({
    method: 'POST',
    path: '/auth/upload-profile-image',
    summary: "Set the caller's photo and location",
    auth: 'member',
    body: z.partial(personalInfoFormIn(country)),
    encoding: 'multipart',
    file: 'file',
    response: { 200: profile },
  })
}
export const uploadProfileImage = uploadProfileImageIn('US')

export const getOwnAvatar = endpoint({
  method: 'GET',
  path: '/auth/users/me/avatar',
  summary: "Get the caller's photo",
  auth: 'member',
  response: { 200: 'bytes' },
})

export const passwordResetRequest = z.object({ email: emailField(msg('Invalid email address')) })

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/request-password-reset',
  summary: 'Request a password reset by mail; the response is the same for every address',
  auth: 'anyone',
  body: passwordResetRequest,
  response: { 200: messageResponse },
})

export const passwordReset = z
  .object({
    token: identifier(200, authMessages.resetInvalid, msg('Reset token is required.')).check(
      z.minLength(1, msg('Reset token is required.')),
    ),
    // Like `newPasswordField`, with the messages that the specification has for this form.
    new_password: passwordField(
      msg('New password is required.'),
      msg('Password must be at most {max} characters long.', { max: limits.password.max }),
    ).check(
      z.minLength(
        limits.password.min,
        msg('Password must be at least {min} characters long.', { min: limits.password.min }),
      ),
    ),
    confirm_password: secret(
      limits.password.max,
      msg('Passwords do not match.'),
      msg('Passwords do not match.'),
    ),
  })
  .check(
    z.refine((form) => form.new_password === form.confirm_password, {
      path: ['confirm_password'],
      message: msg('Passwords do not match.'),
      // Reports a mismatch together with errors of the other fields.
      when: ({ value }) => hasFields(value) && value.confirm_password !== undefined,
    }),
  )
export type PasswordReset = z.output<typeof passwordReset>

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Set a new password with the token of a reset mail',
  auth: 'anyone',
  body: passwordReset,
  response: { 200: messageResponse },
})

/** Tells password managers for which account the new password is. The token came by mail, so its holder knows the address. */
export const getResetAccount = endpoint({
  method: 'POST',
  path: '/auth/reset-password/account',
  summary: 'Get the e-mail of the account of a reset mail by its token, or null if the token is not valid',
  auth: 'anyone',
  body: z.object({ token: tokenField(authMessages.resetInvalid) }),
  response: { 200: z.object({ email: z.nullable(z.string()) }) },
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/confirm-email',
  summary: 'Confirm an e-mail address with the token of a confirmation mail',
  auth: 'anyone',
  body: z.object({ token: tokenField(authMessages.confirmInvalid) }),
  response: { 200: messageResponse },
})

/** For the owner of an address with which somebody else has registered. */
export const disownEmail = endpoint({
  method: 'POST',
  path: '/auth/disown-email',
  summary: "Take an unconfirmed e-mail address from somebody else's account with the token of a mail",
  auth: 'anyone',
  body: z.object({ token: tokenField(authMessages.confirmInvalid) }),
  response: { 200: messageResponse },
})

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/auth/confirm-email/resend',
  summary: "Send another confirmation mail to the caller's address",
  auth: 'member',
  response: { 200: messageResponse },
})
