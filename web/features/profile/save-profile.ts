import type { QueryClient } from '@tanstack/react-query'
import { type Profile, uploadProfileImage } from '#contract/auth.ts'
import { type ProfileChanges, updateProfile } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'

/** The fields of the form. The new password has a separate form. */
export type ProfileFields = Required<Omit<ProfileChanges, 'password' | 'language'>>

/** Returns the values of the form. Unknown fields and the password are empty. */
export function fieldsOf(me: Profile): ProfileFields {
  const { first_name, last_name, username, email } = me
  const { city, state, zip_code, address, apt } = me
  return {
    first_name,
    last_name,
    username,
    current_password: '',
    email,
    city: city ?? '',
    state: state ?? '',
    zip_code: zip_code ?? '',
    address: address ?? '',
    apt: apt ?? '',
  }
}

/** Returns the changed fields. The current password is included only with a new e-mail. */
export function changesOf(before: ProfileFields, now: ProfileFields): ProfileChanges {
  const names = Object.keys(before) as (keyof ProfileFields)[]
  const { current_password, ...changes }: ProfileChanges = Object.fromEntries(
    names.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]),
  )
  const needsPassword = changes.email !== undefined && current_password !== undefined
  return needsPassword ? { ...changes, current_password } : changes
}

/** Uploads the photo and stores the saved profile. `onProgress` receives the sent share, from 0 to 1. */
export async function sendPhoto(client: QueryClient, file: File, onProgress: (share: number) => void) {
  await storeProfile(client, await call(client, uploadProfileImage, { body: {}, file }, { onProgress }))
}

/** Sends the changed fields, if there are any, and stores the saved profile. */
export async function sendChanges(client: QueryClient, changes: ProfileChanges) {
  if (Object.keys(changes).length === 0) return
  const me = await call(client, updateProfile, { body: changes })
  transportOf(client).login.rename(me.username)
  await storeProfile(client, me)
}

/** Stores the saved profile and invalidates other queries that show the member. */
export async function storeProfile(client: QueryClient, me: Profile) {
  await client.invalidateQueries({ refetchType: 'none' })
  client.setQueryData(profileQuery.queryKey, me)
}
