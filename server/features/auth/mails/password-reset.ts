import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'

export function passwordResetMail(
  member: { email: string; first_name: string },
  token: string,
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: member.email,
      subject: 'Set a new password',
      title: 'a new password',
      paragraphs: [
        `Hello ${member.first_name},`,
        'Somebody, hopefully you, has asked to set a new password for your account. The link works once, within 30 minutes.',
        'If it was not you, do nothing: your password stays as it is.',
      ],
      action: { label: 'Set a new password', path: `/reset-password?token=${token}` },
    },
    context,
  )
}
