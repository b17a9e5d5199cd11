import { AppError } from '#server/platform/errors.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'

/**
 * Sends a mail to an address that nobody has confirmed, unless the address has received its mails for the day. The work sends
 * one mail. Returns whether it was sent; throws what the work throws, and counts nothing then.
 */
export type SendToUnconfirmed = (address: string, work: () => Promise<void>) => Promise<boolean>

const perAddress = { attempts: 10, seconds: 24 * 60 * 60 }

/**
 * Anyone can enter the address of a stranger, at registration or as a new e-mail, so all kinds of mail are counted together.
 * Password resets are counted apart: otherwise the other mails could keep a member from theirs.
 */
export function unconfirmedMail(limits: RateLimits, counted: 'any' | 'reset' = 'any'): SendToUnconfirmed {
  const limit = limits(counted === 'reset' ? 'reset mail to unconfirmed' : 'mail to unconfirmed', perAddress)
  return async (address, work) => {
    const key = mailbox(address)
    try {
      await limit.attempt(key)
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_many') return false
      throw error
    }
    try {
      await work()
    } catch (error) {
      await limit.refund(key)
      throw error
    }
    return true
  }
}

/** Most providers deliver `ann+anything@example.com` to `ann@example.com`. */
function mailbox(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*(?=@)/, '')
}
