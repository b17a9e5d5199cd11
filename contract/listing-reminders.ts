import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { moment } from './fields.ts'

export const reminderMessages = {
  linkInvalid: 'This link is not valid any more',
} as const

/** The longest text that is looked at as a token. */
const token = z.string(reminderMessages.linkInvalid).max(200, reminderMessages.linkInvalid)

/**
 * A listing about which its owner was asked. `answer` is what they have said: that it is still there, so that it is listed
 * until a later `expires_at`, or that it is gone.
 */
const reminder = z.object({
  listing_id: z.int(),
  title: z.string(),
  expires_at: moment,
  is_expired: z.boolean(),
  answer: z.enum(['still_there', 'gone']).nullable(),
})
export type Reminder = z.output<typeof reminder>

/** Changes nothing, so mail programs may follow the link. */
export const getReminder = endpoint({
  method: 'GET',
  path: '/listing-reminders',
  summary: 'The listing that a mail asks about, by the token of its link',
  auth: 'anyone',
  query: z.object({ token }),
  notFound: reminderMessages.linkInvalid,
  response: { 200: reminder },
})

/** Lists the listing again, or marks it as gone. Repeating an answer changes nothing. */
export const answerReminder = endpoint({
  method: 'POST',
  path: '/listing-reminders',
  summary: 'Say whether a listing is still there, by the token of a mail',
  auth: 'anyone',
  body: z.object({
    token,
    answer: z.enum(['still_there', 'gone'], 'Please say whether it is still there or gone'),
  }),
  notFound: reminderMessages.linkInvalid,
  response: { 200: reminder },
})
