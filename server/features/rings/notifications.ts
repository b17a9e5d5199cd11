import { z } from 'zod/mini'
import { notificationKind } from '#server/features/notifications/kinds.ts'

/** A ring was found in which the member gets something. It is about the screen of their matches. */
export const ringFound = notificationKind('ring', {
  data: z.object({}),
  about: () => ['matches', 0],
  facts: `'{}'::json`,
  repeatHours: 24,
})
