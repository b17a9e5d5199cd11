import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'

/** Returns the mail to the previous address. It does not contain the new one. */
export function emailChangedMail(
  member: { first_name: string; username: string },
  oldEmail: string,
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: oldEmail,
      subject: 'Your e-mail address was changed',
      title: 'your address was changed',
      paragraphs: [
        `Hello ${member.first_name},`,
        `Your account ${member.username} has another e-mail address now. We will not write to this one any more.`,
        `If it was not you, write to ${context.supportEmail}.`,
      ],
      action: { label: 'Open Rhubarb', path: '/' },
    },
    context,
  )
}
