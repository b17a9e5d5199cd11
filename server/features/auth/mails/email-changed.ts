import { type Frame, letter } from '#server/platform/letter.ts'
import type { Mail } from '#server/platform/mail.ts'

/** Goes to the address that was left, and does not name the new one. */
export function emailChanged(
  member: { first_name: string; username: string },
  oldEmail: string,
  frame: Frame,
): Mail {
  return letter(
    {
      to: oldEmail,
      subject: 'Your e-mail address was changed',
      title: 'your address was changed',
      paragraphs: [
        `Hello ${member.first_name},`,
        `Your account ${member.username} has another e-mail address now. We will not write to this one any more.`,
        `If it was not you, write to ${frame.supportEmail}.`,
      ],
      action: { label: 'Open Rhubarb', path: '/' },
    },
    frame,
  )
}
