import { z } from 'zod'

/** An error of nodemailer with the reply of the mail server. */
const reply = z.object({ responseCode: z.number(), command: z.string(), response: z.string() })

/** Enhanced status codes (RFC 3463) that are about the sender: security and policy, and the sender's address. */
const aboutSender = /^[245]\.(?:7\.\d+|1\.[78])$/

/** Those that are about the receiver's address or mailbox. */
const aboutMailbox = /^4\.[12]\.\d+$/

/**
 * Returns whether a mail server refuses a mailbox for good (RFC 5321, section 4.2.1): 550 to 554 in reply to the receiver or to the
 * mail, unless the enhanced status code is about the sender. Other codes are about the syntax, or about our login.
 */
export function refusesMailbox(error: unknown): boolean {
  const { data } = reply.safeParse(error)
  if (!data || !['RCPT TO', 'DATA'].includes(data.command)) return false
  if (data.responseCode < 550 || data.responseCode > 554) return false
  return !aboutSender.test(enhancedCodeOf(data.response) ?? '')
}

/**
 * Returns whether a mail server refuses a mailbox for now: by its enhanced status code, or without one by 450 (a busy mailbox) or 452
 * (a full one). Other codes are about the mail server, or about us.
 */
export function defersMailbox(error: unknown): boolean {
  const { data } = reply.safeParse(error)
  if (data?.command !== 'RCPT TO') return false
  const code = enhancedCodeOf(data.response)
  if (code === undefined) return [450, 452].includes(data.responseCode)
  return aboutMailbox.test(code) && !aboutSender.test(code)
}

function enhancedCodeOf(response: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
}

/** Returns whether a mail server has refused the receiver, for now or for good, after it had accepted the sender. */
export function isAboutReceiver(error: unknown): boolean {
  return reply.safeParse(error).data?.command === 'RCPT TO'
}
