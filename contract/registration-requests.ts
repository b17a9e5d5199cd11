import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { reasonTooLong } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { id, moment, paragraphs } from './fields.ts'
import { msg } from './message.ts'

export const registrationRequestMessages = {
  answered: msg('Another moderator has answered this, or it is too old. Load the page again.'),
  banned: msg(
    'Its network or mail domain has been banned in the meantime. You can refuse it, or ask an operator to lift the ban first.',
  ),
} as const

/** Somebody who has registered on a site by approval, and is no member yet. */
const registrationRequest = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  email: z.string(),
  created_at: moment,
})
export type RegistrationRequest = z.output<typeof registrationRequest>

export const listRegistrationRequests = endpoint({
  method: 'GET',
  path: '/desk/registration-requests',
  summary: 'List the oldest 100 registrations that wait for a moderator, oldest first',
  auth: 'moderator',
  response: { 200: z.array(registrationRequest) },
})

export const approveRegistration = endpoint({
  method: 'POST',
  path: '/desk/registration-requests/{id}/approve',
  summary: 'Make a member of somebody who has registered, and tell them by mail',
  auth: 'moderator',
  params: z.object({ id }),
  response: { 204: 'nothing' },
})

export const refusedRegistration = z.object({
  /** Is in the mail. */
  reason: z.optional(paragraphs(limits.report.max, reasonTooLong)),
})

export const refuseRegistration = endpoint({
  method: 'POST',
  path: '/desk/registration-requests/{id}/refuse',
  summary: 'Delete a registration that waits, and tell its sender by mail',
  auth: 'moderator',
  params: z.object({ id }),
  body: refusedRegistration,
  response: { 204: 'nothing' },
})
