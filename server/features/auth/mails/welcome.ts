import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'

/** Returns the first mail, with the link to confirm the address. */
export function welcomeMail(
  member: { email: string; first_name: string; username: string },
  token: string,
  context: MailContext,
): Mail {
  return renderMail(
    {
      to: member.email,
      subject: 'Welcome to Rhubarb',
      title: 'welcome to the fence',
      paragraphs: [
        `Hello ${member.first_name},`,
        `You are a member now, as ${member.username}. List the produce, seeds and plants you have, to sell, exchange or give away, and see what grows around you.`,
        'Please confirm that this address is yours. Until you do, we send you nothing else. The link works for seven days.',
      ],
      action: { label: 'Confirm my address', path: `/confirm-email?token=${token}` },
    },
    context,
  )
}
