import { confirmationDays, resetMinutes } from '#contract/constants.ts'
import { linkList, type MailContent, type MailContentPart } from '#server/platform/render-mail.ts'

interface Addressee {
  readonly email: string
  readonly first_name: string
  readonly username: string
}

const confirm = (token: string) => ({ label: 'Confirm my address', path: `/confirm-email?token=${token}` })

/** Returns the link for somebody with whose address another person has registered. */
function notMe(token: string): MailContentPart {
  const path = `/not-my-account?token=${token}`
  const label = 'This wasn’t me'
  return linkList('Did somebody else use your address?', [{ label, path, text: `${label}:` }])
}

/** Returns the first mail, with the link to confirm the address. */
export function welcomeMail({ email, first_name, username }: Addressee, token: string): MailContent {
  return {
    to: email,
    subject: 'Welcome to Rhubarb',
    title: 'welcome to the fence',
    body: [
      `Hello ${first_name},`,
      `You are a member now, as ${username}. List the produce, seeds and plants you have, to sell, exchange or give away, and see what grows around you.`,
      `Please confirm that this address is yours. Until you do, we send you nothing else. The link works for ${confirmationDays} days.`,
    ],
    action: confirm(token),
    after: [notMe(token)],
  }
}

export function confirmationMail({ email, first_name, username }: Addressee, token: string): MailContent {
  return {
    to: email,
    subject: 'Confirm your e-mail address',
    title: 'is this your address?',
    body: [
      `Hello ${first_name},`,
      `This is the e-mail address of your account ${username} at Rhubarb. Please confirm that it is yours. Until you do, we send you nothing else. The link works for ${confirmationDays} days.`,
    ],
    action: confirm(token),
    after: [notMe(token)],
  }
}

export function passwordResetMail({ email, first_name }: Addressee, token: string): MailContent {
  return {
    to: email,
    subject: 'Set a new password',
    title: 'a new password',
    body: [
      `Hello ${first_name},`,
      `Somebody, hopefully you, has asked to set a new password for your account. The link works once, within ${resetMinutes} minutes.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Set a new password', path: `/reset-password?token=${token}` },
  }
}

export function passwordChangedMail({ email, first_name }: Addressee, supportEmail: string): MailContent {
  return {
    to: email,
    subject: 'Your password was changed',
    title: 'your password was changed',
    body: [
      `Hello ${first_name},`,
      'The password of your account was changed, and other devices were logged out.',
      `If it was not you, set a new one at once, and write to ${supportEmail}.`,
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }
}

/** Returns the mail to the previous address. It does not contain the new one. */
export function emailChangedMail(
  { first_name, username }: Addressee,
  oldEmail: string,
  supportEmail: string,
): MailContent {
  return {
    to: oldEmail,
    subject: 'Your e-mail address was changed',
    title: 'your address was changed',
    body: [
      `Hello ${first_name},`,
      `Your account ${username} has another e-mail address now. We will not write to this one any more.`,
      `If it was not you, write to ${supportEmail}.`,
    ],
    action: { label: 'Open Rhubarb', path: '/' },
  }
}
