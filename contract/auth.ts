import { z } from 'zod'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { hasFields, line } from './fields.ts'

export const authSentences = {
  incorrectLogin: 'Incorrect email or password',
  emailTaken: 'An account with this email already exists',
  usernameTaken: 'This username is already taken',
  commonPassword: 'This password is too common; please choose another one',
  noAvatar: 'No profile photo',
} as const

const email = line('Email is required')
  .min(1, 'Email is required')
  .max(limits.email, 'Invalid email format')
  .check(z.email({ pattern: z.regexes.html5Email, error: 'Invalid email format' }))
  .regex(/\.[^.@\s]+$/, 'Invalid email format')

/** Passwords are not trimmed; NFC makes the same characters the same password on every keyboard. */
const password = (required: string) => z.string(required).normalize('NFC').min(1, required)

const newPassword = password('Password is required')
  .min(limits.password.min, `Password must be at least ${limits.password.min} characters long`)
  .max(limits.password.max, `Password must be at most ${limits.password.max} characters long`)

export const username = line('Username is required')
  .min(1, 'Username is required')
  .regex(/^[A-Za-z0-9_]+$/, 'Username can only contain letters, numbers, and underscores')
  .min(limits.username.min, `Username must be at least ${limits.username.min} characters long`)
  .max(limits.username.max, `Username must be at most ${limits.username.max} characters long`)

const personName = (which: 'First name' | 'Last name') =>
  line(`${which} is required`)
    .min(1, `${which} is required`)
    .max(limits.name, `${which} must be at most ${limits.name} characters long`)

export const newMember = z.object({
  first_name: personName('First name'),
  last_name: personName('Last name'),
  username,
  email,
  password: newPassword,
})
export type NewMember = z.output<typeof newMember>

/** The register form asks for the password twice; the call sends it once. */
export const registerForm = newMember
  .extend({ confirm_password: z.string().min(1, 'Please confirm your password') })
  .refine((form) => form.confirm_password === '' || form.password === form.confirm_password, {
    path: ['confirm_password'],
    message: 'Passwords do not match',
    when: ({ value }) => hasFields(value),
  })

/** `username` holds the e-mail: the field's name is the one OAuth's password form has. */
export const credentials = z.object({
  username: email,
  password: password('Password is required').max(limits.password.max, authSentences.incorrectLogin),
})
export type Credentials = z.output<typeof credentials>

/** One's own profile. */
export const profile = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip_code: z.string().nullable(),
  profile_picture: z.string().nullable(),
  friend_count: z.int(),
})
export type Profile = z.output<typeof profile>

export const login = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  user: z.object({
    id: z.int(),
    username: z.string(),
    first_name: z.string(),
    profile_picture: z.string().nullable(),
  }),
})
export type Login = z.output<typeof login>

const requiredLine = (name: string, max: number) =>
  line(`${name} is required`)
    .min(1, `${name} is required`)
    .max(max, `${name} must be at most ${max} characters long`)

const postcode = line('Postcode is required')
  .min(limits.postcode.min, `Postcode must be at least ${limits.postcode.min} characters.`)
  .max(limits.postcode.max, `Postcode must be at most ${limits.postcode.max} characters long`)

/** What the personal-info screen asks for. Address and apt are sent only when there is something in them. */
export const personalInfoForm = z.object({
  city: requiredLine('City', limits.place),
  state: requiredLine('State', limits.place),
  postcode,
  address: line().max(limits.address, `Address must be at most ${limits.address} characters long`).optional(),
  apt: line().max(limits.apt, `Apt must be at most ${limits.apt} characters long`).optional(),
})

/** On the wire every field is optional; those that are sent are validated and saved. */
export const personalInfo = personalInfoForm.partial()
export type PersonalInfo = z.output<typeof personalInfo>

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary: 'Become a member',
  auth: 'anyone',
  body: newMember,
  response: { 201: profile },
})

export const logIn = endpoint({
  method: 'POST',
  path: '/auth/login',
  summary: 'Log in with e-mail and password',
  auth: 'anyone',
  body: credentials,
  encoding: 'form',
  response: { 200: login },
})

export const logOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this login',
  auth: 'member',
  response: { 204: 'nothing' },
})

export const getProfile = endpoint({
  method: 'GET',
  path: '/auth/profile',
  summary: 'My own profile',
  auth: 'member',
  response: { 200: profile },
})

export const uploadProfileImage = endpoint({
  method: 'POST',
  path: '/auth/upload-profile-image',
  summary: 'Set my photo and my place',
  auth: 'member',
  body: personalInfo,
  encoding: 'multipart',
  file: 'file',
  response: { 200: profile },
})

export const getOwnAvatar = endpoint({
  method: 'GET',
  path: '/auth/users/me/avatar',
  summary: 'My own photo',
  auth: 'member',
  response: { 200: 'bytes' },
})
