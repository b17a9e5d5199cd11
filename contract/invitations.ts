import { z } from 'zod'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { emailField } from './member-fields.ts'

export const invitationMessages = {
  onItsWay: 'Your invitation is on its way',
  tooMany: `You can send at most ${limits.invitationsADay} invitations a day. Please try again tomorrow.`,
  stopped: 'We will not send invitations to this address any more',
  stopInvalid: 'This link is not valid, or too old',
} as const

export const invitation = z.object({ email: emailField('Invalid email address') })

export const invite = endpoint({
  method: 'POST',
  path: '/invitations',
  summary: 'Invite somebody by e-mail; the answer is the same for a member',
  auth: 'member',
  body: invitation,
  response: { 202: z.object({ message: z.string() }) },
})

/** The mail as it is sent; only the address it goes to and its two personal links are left out. */
export const previewInvitation = endpoint({
  method: 'GET',
  path: '/invitations/preview',
  summary: 'My invitation as it is sent',
  auth: 'member',
  response: { 200: z.object({ subject: z.string(), html: z.string(), text: z.string() }) },
})

/** Mail programs call it with one click (RFC 8058), and put a form into the body that says so. */
export const stopInvitations = endpoint({
  method: 'POST',
  path: '/invitations/stop',
  summary: 'Never be invited again, by the token of an invitation mail',
  auth: 'anyone',
  query: z.object({
    token: z.string(invitationMessages.stopInvalid).max(200, invitationMessages.stopInvalid),
  }),
  response: { 200: z.object({ message: z.string() }) },
})
