import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'

export function passwordChangedMail(
  member: { email: string; first_name: string },
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: member.email,
      subject: 'Your password was changed',
      title: 'your password was changed',
      paragraphs: [
        `Hello ${member.first_name},`,
        'The password of your account was changed, and other devices were logged out.',
        `If it was not you, set a new one at once, and write to ${context.supportEmail}.`,
      ],
      action: { label: 'Set a new password', path: '/forgot-password' },
    },
    context,
  )
}
