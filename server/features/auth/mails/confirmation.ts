import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'

export function confirmationMail(
  member: { email: string; first_name: string },
  token: string,
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: member.email,
      subject: 'Confirm your e-mail address',
      title: 'is this your address?',
      paragraphs: [
        `Hello ${member.first_name},`,
        'This is the e-mail address of your account at Rhubarb. Please confirm that it is yours. Until you do, we send you nothing else. The link works for seven days.',
      ],
      action: { label: 'Confirm my address', path: `/confirm-email?token=${token}` },
    },
    context,
  )
}
