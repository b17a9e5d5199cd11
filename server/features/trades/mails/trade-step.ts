import type { MailContent } from '#server/platform/render-mail.ts'
import type { StepText } from '../step-texts.ts'

/** Returns the mail about a step of a trade. */
export function tradeStep(
  member: { email: string; first_name: string },
  { title, body, label, path }: StepText,
  oneClick: string,
): MailContent {
  return {
    to: member.email,
    subject: title,
    title,
    body: [`Hello ${member.first_name},`, body],
    action: { label, path },
    optional: {
      because: 'You get this mail because you are part of this trade.',
      links: [{ label: 'Choose what we mail you', path: '/profile/edit' }],
      oneClick,
    },
  }
}
