import { z } from 'zod/mini'
import { notificationKind } from '#server/features/notifications/kinds.ts'

/** Describes a notification about the other member. */
const aboutMember = {
  data: z.object({}),
  about: (_data: object, fromId: number) => ['member', fromId] as const,
  facts: `'{}'::json`,
}

export const friendRequested = notificationKind('friend_request', aboutMember)
export const friendAccepted = notificationKind('friend_accepted', aboutMember)

export const friendNotifications = [friendRequested, friendAccepted]
