import { z } from 'zod'
import { limits } from './constants.ts'
import { line, oneLine } from './fields.ts'
import { sentences } from './sentences.ts'

/** What members type of themselves, with the specification's sentences. */
export function emailField(badForm: string) {
  return line('Email is required')
    .min(1, 'Email is required')
    .max(limits.email, badForm)
    .check(z.email({ pattern: z.regexes.html5Email, error: badForm }))
    .regex(/\.[^.@\s]+$/, badForm)
}

/** Passwords are not trimmed; NFC makes the same characters the same password on every keyboard. */
export function passwordField(required: string) {
  return z.string(required).normalize('NFC').regex(oneLine, sentences.controlCharacters).min(1, required)
}

export const newPasswordField = passwordField('Password is required')
  .min(limits.password.min, `Password must be at least ${limits.password.min} characters long`)
  .max(limits.password.max, `Password must be at most ${limits.password.max} characters long`)

export const usernameField = line('Username is required')
  .min(1, 'Username is required')
  .regex(/^[A-Za-z0-9_]+$/, 'Username can only contain letters, numbers, and underscores')
  .min(limits.username.min, `Username must be at least ${limits.username.min} characters long`)
  .max(limits.username.max, `Username must be at most ${limits.username.max} characters long`)

export function personNameField(which: 'First name' | 'Last name') {
  return line(`${which} is required`)
    .min(1, `${which} is required`)
    .max(limits.name, `${which} must be at most ${limits.name} characters long`)
}

export function placeField(name: string) {
  return line().max(limits.place, `${name} must be at most ${limits.place} characters long`)
}

export const postcodeTooShort = `Postcode must be at least ${limits.postcode.min} characters.`

export function postcodeField() {
  return line('Postcode is required').max(
    limits.postcode.max,
    `Postcode must be at most ${limits.postcode.max} characters long`,
  )
}
