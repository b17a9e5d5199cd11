import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'
import type { StepText } from '../step-texts.ts'

/** Returns the mail about a step of a trade. */
export function tradeStep(
  member: { email: string; first_name: string },
  { title, body, label, path }: StepText,
  oneClick: string,
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: member.email,
      subject: title,
      title,
      paragraphs: [`Hello ${member.first_name},`, body],
      action: { label, path },
      optional: {
        because: 'You get this mail because you are part of this trade.',
        label: 'Choose what we mail you',
        path: '/profile/edit',
        oneClick,
      },
    },
    context,
  )
}
