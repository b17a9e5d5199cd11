import { type Frame, letter } from '#server/platform/letter.ts'
import type { Mail } from '#server/platform/mail.ts'

export function passwordChanged(member: { email: string; first_name: string }, frame: Frame): Mail {
  return letter(
    {
      to: member.email,
      subject: 'Your password was changed',
      title: 'your password was changed',
      paragraphs: [
        `Hello ${member.first_name},`,
        'The password of your account was changed, and other devices were logged out.',
        `If it was not you, set a new one at once, and write to ${frame.supportEmail}.`,
      ],
      action: { label: 'Set a new password', path: '/forgot-password' },
    },
    frame,
  )
}
