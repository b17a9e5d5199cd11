import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { briefMember, id, moment, pageFields } from './fields.ts'
import { notice } from './notices.ts'
import { endReasons, tradeKinds, tradeStates } from './trades.ts'

/** The maximum number of things in a call that reads notifications. */
export const maxSubjects = 500
const maxKinds = 100
const maxKindLength = 100

/** The things of one type that a screen shows. Looking at them reads the notifications about them. */
export const notificationSubjects = z.object({
  type: z.enum(['listing', 'member', 'trade']),
  ids: z.array(id).check(z.maxLength(maxSubjects)),
})
export type NotificationSubjects = z.output<typeof notificationSubjects>

/**
 * An in-app notification. The features of the server declare the kinds: a client may get one that is newer than itself. `user` is the
 * member it is about. `match` and `swap` have a `match`: a listing of that member that fits a want of the caller; `more` counts the other
 * matches found with it. `listing_ending` has the `listing` of the caller that ends soon or has ended. `price_dropped` has the `price_drop`
 * of a listing that the caller asked about. `trade_*` and `pickup_*` have a `trade`. `user` is the caller for `listing_ending`, for `ring`
 * (a ring was found), for `notice` (the desk tells them something), and for a step that is about no other member: a ring that was declined, a member who has left.
 */
export const notification = z.object({
  id: z.int(),
  kind: z.string(),
  created_at: moment,
  read_at: z.nullable(moment),
  user: briefMember,
  match: z.nullable(
    z.object({
      want_id: z.int(),
      want_title: z.string(),
      listing_id: z.int(),
      listing_title: z.string(),
      reason: z.string(),
      more: z.int(),
    }),
  ),
  listing: z.nullable(z.object({ id: z.int(), title: z.string(), expires_at: moment })),
  price_drop: z.nullable(
    z.object({ listing_id: z.int(), listing_title: z.string(), from: z.number(), to: z.number() }),
  ),
  trade: z.nullable(
    z.object({
      id: z.int(),
      kind: z.enum(tradeKinds),
      state: z.enum(tradeStates),
      end_reason: z.nullable(z.enum(endReasons)),
      /**
       * The listing that the reader gets, or the listing of a single trade. For `trade_next`, `trade_received` and `trade_thanked` the listing
       * that the reader gives or gave, for `trade_in_line` the promised one.
       */
      listing_id: z.int(),
      /** Null for others than its owner while the operator hides the listing or suspends its owner. */
      listing_title: z.nullable(z.string()),
      pickup_starts_at: z.nullable(moment),
    }),
  ),
  notice: z.nullable(notice),
})
export type Notification = z.output<typeof notification>

/** The fields that depend on the kind, without values. */
export const emptyFacts = {
  match: null,
  listing: null,
  price_drop: null,
  trade: null,
  notice: null,
} as const satisfies Partial<Notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: "List the caller's notifications, newest first",
  auth: 'member',
  query: z.object(pageFields),
  response: { 200: z.array(notification) },
})

export const countUnreadNotifications = endpoint({
  method: 'GET',
  path: '/notifications/unread-count',
  summary: 'Count the unread notifications (at most 100)',
  auth: 'member',
  response: { 200: z.int() },
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark notifications as read: all, some kinds, those about something, or all up to an id',
  auth: 'member',
  body: z.object({
    up_to: z.optional(id),
    about: z.optional(notificationSubjects),
    kinds: z.optional(z.array(z.string().check(z.maxLength(maxKindLength))).check(z.maxLength(maxKinds))),
  }),
  response: { 200: z.object({ updated: z.int() }) },
})
