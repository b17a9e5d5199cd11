import type { QueryClient } from '@tanstack/react-query'
import { authMessages, type Profile, uploadProfileImage } from '#contract/auth.ts'
import { type ProfileChanges, updateProfile } from '#contract/profile.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'
import { profileQuery } from './profile-query.ts'

/** The password has a form of its own. */
export type ProfileFields = Required<Omit<ProfileChanges, 'password'>>

/** The profile as the form shows it. What is not known is empty, and passwords are never known. */
export function fieldsOf(me: Profile): ProfileFields {
  const { first_name, last_name, username, email } = me
  const { city, state, zip_code } = me
  return {
    first_name,
    last_name,
    username,
    current_password: '',
    email,
    city: city ?? '',
    state: state ?? '',
    zip_code: zip_code ?? '',
  }
}

/** The fields that differ. */
export function changesOf(before: ProfileFields, now: ProfileFields): ProfileChanges {
  const names = Object.keys(before) as (keyof ProfileFields)[]
  const { current_password, ...changes }: ProfileChanges = Object.fromEntries(
    names.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]),
  )
  const isAsked = changes.email !== undefined && current_password !== undefined
  return isAsked ? { ...changes, current_password } : changes
}

export async function sendPhoto(client: QueryClient, file: File, onProgress: (share: number) => void) {
  await keep(client, await call(client, uploadProfileImage, { body: {}, file }, { onProgress }))
}

/** Sends what has changed, if anything has. */
export async function sendChanges(client: QueryClient, changes: ProfileChanges) {
  if (Object.keys(changes).length === 0) return
  const me = await call(client, updateProfile, { body: changes })
  transportOf(client).login.rename(me.username)
  await keep(client, me)
}

/** Stores the saved profile and invalidates other queries that show the member. */
async function keep(client: QueryClient, me: Profile) {
  await client.invalidateQueries({ refetchType: 'none' })
  client.setQueryData(profileQuery.queryKey, me)
}

const refusals = new Map<string | undefined, 'username' | 'email' | 'current_password'>([
  [authMessages.usernameTaken, 'username'],
  [authMessages.emailTaken, 'email'],
  [authMessages.incorrectPassword, 'current_password'],
  [authMessages.enterCurrentPassword, 'current_password'],
])

/** Returns the field that a refusal is about. The server names it in words only. */
export function refusedField(failure: unknown) {
  return failure instanceof ApiError ? refusals.get(failure.detail) : undefined
}
