import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { briefMember, messageResponse, tokenField } from './fields.ts'
import { emailField } from './member-fields.ts'
import { msg } from './message.ts'

export const invitationMessages = {
  onItsWay: msg('Your invitation is on its way'),
  tooMany: msg('You can send at most {max} invitations a day. Please try again tomorrow.', {
    max: limits.invitationsPerDay,
  }),
  stopped: msg('We will not send invitations to this address any more'),
  alreadyStopped: msg('Invitations to this address are stopped already'),
  stopInvalid: msg('This link is not valid, or too old'),
  linkReplaced: msg('A newer link has replaced this invitation. Please ask for the new link.'),
  linkUnknown: msg(
    'This invitation is unknown. Please check that you have copied all of its link, or ask for a new one.',
  ),
  needed: msg('This site is by invitation. Please ask a neighbor who is a member for their link.'),
  /** For a member who has left or is suspended. */
  linkInvalid: msg('This invitation is not valid any more'),
} as const

export const invitation = z.object({ email: emailField(msg('Invalid email address')) })

export const invite = endpoint({
  method: 'POST',
  path: '/invitations',
  summary: 'Invite an address by e-mail; the response is the same for an address of a member',
  auth: 'member',
  body: invitation,
  response: { 202: messageResponse },
})

/** Previews the mail without the recipient's address and personal links. */
export const previewInvitation = endpoint({
  method: 'GET',
  path: '/invitations/preview',
  summary: 'Preview the invitation mail',
  auth: 'member',
  response: { 200: z.object({ subject: z.string(), html: z.string(), text: z.string() }) },
})

const invitationLink = z.object({ url: z.string() })

/** The link to the caller's profile. It shows guests the inviter. Members who register with it get the inviter's friend request. */
export const getInvitationLink = endpoint({
  method: 'GET',
  path: '/invitations/link',
  summary: "Get the caller's profile link with a signed invitation, for QR codes and sharing",
  auth: 'member',
  response: { 200: invitationLink },
})

export const replaceInvitationLink = endpoint({
  method: 'POST',
  path: '/invitations/link',
  summary: 'Replace the invitation link; the old one becomes invalid',
  auth: 'member',
  response: { 200: invitationLink },
})

/** The data of the inviter that guests see. */
const inviter = z.extend(briefMember, {
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
})
export type Inviter = z.output<typeof inviter>

export const getInviter = endpoint({
  method: 'GET',
  path: '/invitations/inviter',
  summary: 'Get the inviter of an invitation link by its parameter `invite`',
  auth: 'anyone',
  query: z.object({ invite: tokenField(invitationMessages.linkUnknown) }),
  notFound: invitationMessages.linkInvalid,
  response: { 200: inviter },
})

/** The URL of the header `List-Unsubscribe` in a browser: the page that asks first, because scanners open links. */
export const openStopInvitations = endpoint({
  method: 'GET',
  path: '/invitations/stop',
  summary: 'Open the page that opts out of invitations',
  auth: 'anyone',
  query: z.object({ token: tokenField(invitationMessages.stopInvalid) }),
  response: { 303: 'nothing' },
})

/** One-click unsubscribe of mail programs (RFC 8058). Their form body is ignored. */
export const stopInvitations = endpoint({
  method: 'POST',
  path: '/invitations/stop',
  summary: 'Opt out of invitations with the token of an invitation mail',
  auth: 'anyone',
  query: z.object({ token: tokenField(invitationMessages.stopInvalid) }),
  response: { 200: messageResponse },
})
