import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { hasFields, identifier, line, secret } from './fields.ts'
import { msg } from './message.ts'
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
  return identifier(limits.email, invalid, msg('Email is required')).check(
    z.minLength(1, msg('Email is required')),
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
  msg('Password is required'),
  msg('Password must be at most {max} characters long', { max: limits.password.max }),
).check(
  z.minLength(
    limits.password.min,
    msg('Password must be at least {min} characters long', { min: limits.password.min }),
  ),
)

/** The second field of a new password in a form. */
export const repeatedPasswordField = secret(limits.password.max, msg('Passwords do not match')).check(
  z.minLength(1, msg('Please confirm your password')),
)

/** Returns whether the second field repeats the password. An empty one has its own message. */
export function isRepeated(form: { password: string; confirm_password: string }): boolean {
  return form.confirm_password === '' || form.password === form.confirm_password
}

/** The parameters of a refinement with `isRepeated`. */
export const repeatedPasswordRule = {
  path: ['confirm_password'],
  message: msg('Passwords do not match'),
  when: ({ value }: { value: unknown }) => hasFields(value),
}

export const usernameField = identifier(
  limits.username.max,
  msg('Username must be at most {max} characters long', { max: limits.username.max }),
  msg('Username is required'),
).check(
  z.minLength(1, msg('Username is required')),
  z.regex(/^[A-Za-z0-9_]+$/, msg('Username can only contain letters, numbers, and underscores')),
  z.minLength(
    limits.username.min,
    msg('Username must be at least {min} characters long', { min: limits.username.min }),
  ),
  z.refine(
    (username) => !isReservedUsername(username),
    msg('This username is reserved. Please choose another one'),
  ),
)

const nameMessages = {
  first: {
    required: msg('First name is required'),
    tooLong: msg('First name must be at most {max} characters long', { max: limits.name }),
  },
  last: {
    required: msg('Last name is required'),
    tooLong: msg('Last name must be at most {max} characters long', { max: limits.name }),
  },
} as const

export function personNameField(which: 'first' | 'last') {
  const { required, tooLong } = nameMessages[which]
  return line(limits.name, tooLong, required).check(z.minLength(1, required))
}

export const cityField = line(
  limits.location,
  msg('City must be at most {max} characters long', { max: limits.location }),
)

export const addressField = line(
  limits.address,
  msg('Address must be at most {max} characters long', { max: limits.address }),
)

export const aptField = line(
  limits.apt,
  msg('Apt must be at most {max} characters long', { max: limits.apt }),
)

export const stateField = line(
  limits.location,
  msg('State must be at most {max} characters long', { max: limits.location }),
)

const postcodeTooShort = msg('Postcode must be at least {min} characters.', {
  min: limits.postcode.min,
})

const postcodeRequired = msg('Postcode is required')

function postcodeField() {
  return identifier(
    limits.postcode.max,
    msg('Postcode must be at most {max} characters long', { max: limits.postcode.max }),
    postcodeRequired,
  )
}

/** Returns the schema of a required postal code. In the US it has the specification's minimum; other countries have shorter ones. */
export function postcodeIn(country: string) {
  return country === 'US'
    ? postcodeField().check(z.minLength(limits.postcode.min, postcodeTooShort))
    : postcodeField().check(z.minLength(1, postcodeRequired))
}

/** Returns the schema of a postal code or an empty text. */
export function optionalPostcodeIn(country: string) {
  const min = country === 'US' ? limits.postcode.min : 1
  return postcodeField().check(z.refine((text) => text === '' || text.length >= min, postcodeTooShort))
}
