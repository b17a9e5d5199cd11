import { confirmationDays, resetMinutes } from '#contract/constants.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { linkList, type MailContent, type MailContentPart } from '#server/platform/render-mail.ts'

interface Addressee {
  readonly email: string
  readonly first_name: string
  readonly username: string
}

const confirm = (token: string, t: Translator) => ({
  label: t('Confirm my address'),
  path: `/confirm-email?token=${token}`,
})

/** Returns the link for somebody with whose address another person has registered. */
function notMe(token: string, t: Translator): MailContentPart {
  const path = `/not-my-account?token=${token}`
  const label = t('This wasn’t me')
  return linkList(t('Did somebody else use your address?'), [{ label, path, text: `${label}:` }])
}

function logInLink(t: Translator): MailContentPart {
  const label = t('Log in')
  return linkList(t('A volunteer has let you in.'), [{ label, path: '/login', text: `${label}:` }])
}

const untilConfirmed = (t: Translator) =>
  t(
    'Please confirm that this address is yours. Until you do, we send you nothing else. The link works for {days, plural, one {# day} other {# days}}.',
    { days: confirmationDays },
  )

/** Returns the first mail, with the link to confirm the address, and for who has waited for a moderator with that to log in. */
export function welcomeMail(
  { email, first_name, username }: Addressee,
  { token, is_approved = false }: { token: string; is_approved?: boolean | undefined },
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Welcome to {site}', { site: t.siteName }),
    title: t('welcome to the fence'),
    body: [
      t('Hello {name},', { name: first_name }),
      t(
        'You are a member now, as {username}. List the produce, seeds and plants you have, to sell, exchange or give away, and see what grows around you.',
        { username },
      ),
      untilConfirmed(t),
    ],
    action: confirm(token, t),
    after: [...(is_approved ? [logInLink(t)] : []), notMe(token, t)],
  }
}

export function confirmationMail(
  { email, first_name, username }: Addressee,
  token: string,
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Confirm your e-mail address'),
    title: t('is this your address?'),
    body: [
      t('Hello {name},', { name: first_name }),
      t('This is the e-mail address of your account {username} at {site}.', { username, site: t.siteName }),
      untilConfirmed(t),
    ],
    action: confirm(token, t),
    after: [notMe(token, t)],
  }
}

export function passwordResetMail(
  { email, first_name }: Addressee,
  token: string,
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Set a new password'),
    title: t('a new password'),
    body: [
      t('Hello {name},', { name: first_name }),
      t(
        'Somebody, hopefully you, has asked to set a new password for your account. The link works once, within {minutes, plural, one {# minute} other {# minutes}}.',
        { minutes: resetMinutes },
      ),
      t('If it was not you, do nothing: your password stays as it is.'),
    ],
    action: { label: t('Set a new password'), path: `/reset-password?token=${token}` },
  }
}

export function passwordChangedMail(
  { email, first_name }: Addressee,
  supportEmail: string,
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Your password was changed'),
    title: t('your password was changed'),
    body: [
      t('Hello {name},', { name: first_name }),
      t('The password of your account was changed, and other devices were logged out.'),
      t('If it was not you, set a new one at once, and write to {email}.', { email: supportEmail }),
    ],
    action: { label: t('Set a new password'), path: '/forgot-password' },
  }
}

/** Returns the mail to the previous address. It does not contain the new one. */
export function emailChangedMail(
  { first_name, username }: Addressee,
  { oldEmail, supportEmail }: { readonly oldEmail: string; readonly supportEmail: string },
  t: Translator,
): MailContent {
  return {
    to: oldEmail,
    t,
    subject: t('Your e-mail address was changed'),
    title: t('your address was changed'),
    body: [
      t('Hello {name},', { name: first_name }),
      t('Your account {username} has another e-mail address now. We will not write to this one any more.', {
        username,
      }),
      t('If it was not you, write to {email}.', { email: supportEmail }),
    ],
    action: { label: t('Open {site}', { site: t.siteName }), path: '/' },
  }
}
