import { z } from 'zod'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { id, moment } from './fields.ts'

export const notificationKind = z.enum([
  'friend_request',
  'friend_accepted',
  'match',
  'swap',
  'listing_ending',
])

/**
 * An in-app notification. `user` is the member it is about. The kinds `match` and `swap` have a `match`: a listing of that member that
 * fits a want of the caller; `more` counts the other matches found with it. For `listing_ending`, `user` is the caller and `listing`
 * the one that ends soon or has ended.
 */
export const notification = z.object({
  id: z.int(),
  kind: notificationKind,
  created_at: moment,
  read_at: moment.nullable(),
  user: z.object({ id: z.int(), username: z.string(), profile_picture: z.string().nullable() }),
  match: z
    .object({
      want_id: z.int(),
      want_title: z.string(),
      listing_id: z.int(),
      listing_title: z.string(),
      reason: z.string(),
      more: z.int(),
    })
    .nullable(),
  listing: z.object({ id: z.int(), title: z.string(), expires_at: moment }).nullable(),
})
export type Notification = z.output<typeof notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'What I was told, newest first',
  auth: 'member',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(limits.page.max).default(limits.page.size),
    cursor: z.string().max(200).optional(),
  }),
  response: { 200: z.array(notification) },
})

export const countUnreadNotifications = endpoint({
  method: 'GET',
  path: '/notifications/unread-count',
  summary: 'How many notifications I have not read (at most 100 are counted)',
  auth: 'member',
  response: { 200: z.int() },
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark my notifications as read: all, or those of some kinds, or up to one that I have seen',
  auth: 'member',
  body: z.object({ up_to: id.optional(), kinds: z.array(notificationKind).max(10).optional() }),
  response: { 200: z.object({ updated: z.int() }) },
})
