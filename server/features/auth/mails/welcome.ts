import { type Frame, letter } from '#server/platform/letter.ts'
import type { Mail } from '#server/platform/mail.ts'

/** The first mail: confirms the address, and says what to do now. */
export function welcome(
  member: { email: string; first_name: string; username: string },
  token: string,
  frame: Frame,
): Mail {
  return letter(
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
    frame,
  )
}
