import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'

/** What any member may know of another. Never the e-mail, the names, the street address or apt. */
export const publicMember = z.object({
  id: z.int(),
  username: z.string(),
  profile_picture: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip_code: z.string().nullable(),
  friend_count: z.int(),
})
export type PublicMember = z.output<typeof publicMember>

export const memberSentences = { notFound: 'User not found' } as const

export const getPublicMember = endpoint({
  method: 'GET',
  path: '/auth/users/{id}/public',
  summary: "A member's public profile",
  auth: 'member',
  params: z.object({ id }),
  notFound: memberSentences.notFound,
  response: { 200: publicMember },
})
