import { z } from 'zod'
import { limits } from './constants.ts'
import { line, secret } from './fields.ts'
import { isReservedUsername } from './reserved-usernames.ts'

/** The schemas of a member's data with the error messages of the specification. */
export function emailField(badForm: string) {
  return line(limits.email, badForm, 'Email is required')
    .min(1, 'Email is required')
    .check(z.email({ pattern: z.regexes.html5Email, error: badForm }))
    .regex(/\.[^.@\s]+$/, badForm)
}

export function passwordField(required: string, tooLong: string) {
  return secret(limits.password.max, tooLong, required).min(1, required)
}

export const newPasswordField = passwordField(
  'Password is required',
  `Password must be at most ${limits.password.max} characters long`,
).min(limits.password.min, `Password must be at least ${limits.password.min} characters long`)

export const usernameField = line(
  limits.username.max,
  `Username must be at most ${limits.username.max} characters long`,
  'Username is required',
)
  .min(1, 'Username is required')
  .regex(/^[A-Za-z0-9_]+$/, 'Username can only contain letters, numbers, and underscores')
  .min(limits.username.min, `Username must be at least ${limits.username.min} characters long`)
  .refine((username) => !isReservedUsername(username), 'This username is reserved. Please choose another one')

export function personNameField(which: 'First name' | 'Last name') {
  return line(
    limits.name,
    `${which} must be at most ${limits.name} characters long`,
    `${which} is required`,
  ).min(1, `${which} is required`)
}

export function locationFields(name: string) {
  return line(limits.place, `${name} must be at most ${limits.place} characters long`)
}

export const postcodeTooShort = `Postcode must be at least ${limits.postcode.min} characters.`

export function postcodeField() {
  return line(
    limits.postcode.max,
    `Postcode must be at most ${limits.postcode.max} characters long`,
    'Postcode is required',
  )
}
