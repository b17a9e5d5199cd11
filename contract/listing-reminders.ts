import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { moment, tokenField } from './fields.ts'
import { msg } from './message.ts'

export const reminderMessages = {
  linkInvalid: msg('This link is not valid any more'),
  listedAgain: msg('It is listed again already. To say that it is gone, open the listing.'),
} as const

const token = tokenField(reminderMessages.linkInvalid)

/**
 * The reminder of a listing that ends. `answer` is the owner's answer: `still_there` has relisted the listing, `gone` has marked it as
 * gone. `is_answered_already` is true if this call has not changed it.
 */
const reminder = z.object({
  listing_id: z.int(),
  title: z.string(),
  expires_at: moment,
  is_expired: z.boolean(),
  answer: z.nullable(z.enum(['still_there', 'gone'])),
  is_answered_already: z.boolean(),
})
export type Reminder = z.output<typeof reminder>

/** Has no side effects, because mail programs may follow the link. */
export const getReminder = endpoint({
  method: 'GET',
  path: '/listing-reminders',
  summary: 'Get the listing of a reminder mail by its token',
  auth: 'anyone',
  query: z.object({ token }),
  notFound: reminderMessages.linkInvalid,
  response: { 200: reminder },
})

/** Relists the listing or marks it as gone. Idempotent. */
export const answerReminder = endpoint({
  method: 'POST',
  path: '/listing-reminders',
  summary: 'Relist a listing or mark it as gone, with the token of a reminder mail',
  auth: 'anyone',
  body: z.object({
    token,
    answer: z.enum(['still_there', 'gone'], msg('Please say whether it is still there or gone')),
  }),
  notFound: reminderMessages.linkInvalid,
  response: { 200: reminder },
})
