import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { hasFields, id, messageResponse, paragraphs } from './fields.ts'
import { msg } from './message.ts'

export const reportMessages = {
  reasonNeeded: msg('Please say what is wrong'),
  oneThing: msg('Please report one thing: a listing, a member, a message or a thank-you'),
  tooMany: msg('You can report at most {max} times a day', { max: limits.reportsPerDay }),
  received: msg('Thank you. We will look at it.'),
} as const

/** A report of a listing, a member, a message or a thank-you to the operator. */
export const newReport = z
  .object({
    listing_id: z.optional(id),
    user_id: z.optional(id),
    message_id: z.optional(id),
    thanks_id: z.optional(id),
    reason: paragraphs(
      limits.report.max,
      msg('Please say it in at most {max} characters', { max: limits.report.max }),
    ).check(z.minLength(limits.report.min, reportMessages.reasonNeeded)),
  })
  .check(
    z.refine(
      ({ listing_id, user_id, message_id, thanks_id }) =>
        [listing_id, user_id, message_id, thanks_id].filter((id) => id !== undefined).length === 1,
      {
        path: ['listing_id'],
        message: reportMessages.oneThing,
        when: ({ value }) => hasFields(value),
      },
    ),
  )
export type NewReport = z.output<typeof newReport>

export const report = endpoint({
  method: 'POST',
  path: '/reports',
  summary: 'Report a listing, a member, a message or a thank-you to the operator',
  auth: 'member',
  body: newReport,
  response: { 202: messageResponse },
})
