import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { hasFields, identifier, line, secret } from './fields.ts'
import { isReservedUsername } from './reserved-usernames.ts'

/** Matches the parts of an address. The domain may have letters of any script, but no character with a meaning in a URL. */
const addressParts = /^([^@]+@)((?:[a-z\d.-]|\P{ASCII})+)$/iu

/** Converts an internationalized domain to ASCII (`gärtnerei.de` to `xn--grtnerei-0za.de`), as the mail and browsers name it. */
function withAsciiDomain(email: string): string {
  const [, account, domain] = addressParts.exec(email) ?? []
  if (domain === undefined || !/\P{ASCII}/u.test(domain)) return email
  try {
    return account + new URL(`http://${domain}`).hostname
  } catch {
    return email
  }
}

/** Returns the schema of an e-mail address whose domain contains a dot. */
export function emailField(invalid: string) {
  return identifier(limits.email, invalid, 'Email is required').check(
    z.minLength(1, 'Email is required'),
    z.overwrite(withAsciiDomain),
    z.maxLength(limits.email, invalid),
    z.email({ pattern: z.regexes.html5Email, error: invalid }),
    z.regex(/\.[^.@\s]+$/, invalid),
  )
}

export function passwordField(required: string, tooLong: string) {
  return secret(limits.password.max, tooLong, required).check(z.minLength(1, required))
}

export const newPasswordField = passwordField(
  'Password is required',
  `Password must be at most ${limits.password.max} characters long`,
).check(z.minLength(limits.password.min, `Password must be at least ${limits.password.min} characters long`))

/** The second field of a new password in a form. */
export const repeatedPasswordField = secret(limits.password.max, 'Passwords do not match').check(
  z.minLength(1, 'Please confirm your password'),
)

/** Returns whether the second field repeats the password. An empty one has its own message. */
export function isRepeated(form: { password: string; confirm_password: string }): boolean {
  return form.confirm_password === '' || form.password === form.confirm_password
}

/** The parameters of a refinement with `isRepeated`. */
export const repeatedPasswordRule = {
  path: ['confirm_password'],
  message: 'Passwords do not match',
  when: ({ value }: { value: unknown }) => hasFields(value),
}

export const usernameField = identifier(
  limits.username.max,
  `Username must be at most ${limits.username.max} characters long`,
  'Username is required',
).check(
  z.minLength(1, 'Username is required'),
  z.regex(/^[A-Za-z0-9_]+$/, 'Username can only contain letters, numbers, and underscores'),
  z.minLength(limits.username.min, `Username must be at least ${limits.username.min} characters long`),
  z.refine(
    (username) => !isReservedUsername(username),
    'This username is reserved. Please choose another one',
  ),
)

export function personNameField(which: 'First name' | 'Last name') {
  return line(
    limits.name,
    `${which} must be at most ${limits.name} characters long`,
    `${which} is required`,
  ).check(z.minLength(1, `${which} is required`))
}

/** Returns the schema of a city or a state. */
export function locationField(name: 'City' | 'State') {
  return line(limits.location, `${name} must be at most ${limits.location} characters long`)
}

export const postcodeTooShort = `Postcode must be at least ${limits.postcode.min} characters.`

export function postcodeField() {
  return identifier(
    limits.postcode.max,
    `Postcode must be at most ${limits.postcode.max} characters long`,
    'Postcode is required',
  )
}
