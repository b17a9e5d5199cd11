import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { briefMember, id, searchedUsername } from './fields.ts'
import { msg } from './message.ts'

/** The public profile, without e-mail, names, street address and apt. */
export const publicMember = z.extend(briefMember, {
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  zip_code: z.nullable(z.string()),
  friend_count: z.int(),
  /** The numbers of listings that the member has given and received in trades. */
  given_count: z.int(),
  received_count: z.int(),
})
export type PublicMember = z.output<typeof publicMember>

export const memberMessages = {
  notFound: msg('User not found'),
  blockSelf: msg('You can not block yourself'),
} as const

/** An endpoint of one member. */
export const oneMember = {
  auth: 'member',
  params: z.object({ id }),
  notFound: memberMessages.notFound,
} as const

export const getPublicMember = endpoint({
  ...oneMember,
  method: 'GET',
  path: '/auth/users/{id}/public',
  summary: "Get a member's public profile",
  response: { 200: publicMember },
})

export const searchMembers = endpoint({
  method: 'GET',
  path: '/auth/users',
  summary: 'Search members by username, best first; without words, list the nearest',
  auth: 'member',
  query: z.object({
    q: z.optional(searchedUsername()),
  }),
  response: { 200: z.array(publicMember) },
})

export const listBlocks = endpoint({
  method: 'GET',
  path: '/auth/blocks',
  summary: 'List the members whom the caller has blocked',
  auth: 'member',
  response: { 200: z.array(briefMember) },
})

/** Blocked members can't write to the caller, befriend them or see their listings for friends. They are not notified. */
export const blockMember = endpoint({
  ...oneMember,
  method: 'POST',
  path: '/auth/blocks/{id}',
  summary: 'Block a member',
  response: { 204: 'nothing' },
})

export const unblockMember = endpoint({
  ...oneMember,
  method: 'DELETE',
  path: '/auth/blocks/{id}',
  summary: 'Unblock a member',
  response: { 204: 'nothing' },
})
