import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { hasFields, id, paragraphs } from './fields.ts'

export const reportSentences = {
  reasonNeeded: 'Please say what is wrong',
  oneThing: 'Please report one thing: a listing or a member',
  received: 'Thank you. We will look at it.',
} as const

/** What is wrong with a listing or a member, for the operator. */
export const newReport = z
  .object({
    listing_id: id.optional(),
    user_id: id.optional(),
    reason: paragraphs()
      .min(3, reportSentences.reasonNeeded)
      .max(1000, 'Please say it in at most 1000 characters'),
  })
  .refine(({ listing_id, user_id }) => (listing_id === undefined) !== (user_id === undefined), {
    path: ['listing_id'],
    message: reportSentences.oneThing,
    when: ({ value }) => hasFields(value),
  })
export type NewReport = z.output<typeof newReport>

export const report = endpoint({
  method: 'POST',
  path: '/reports',
  summary: 'Report a listing or a member to the operator',
  auth: 'member',
  body: newReport,
  response: { 202: z.object({ message: z.string() }) },
})
