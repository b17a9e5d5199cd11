import { AppError } from '#server/platform/errors.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'

/**
 * Runs the work, which sends one mail to an unconfirmed address, unless the address has reached its limit for the day. Returns whether
 * it ran. If the work throws, the mail is not counted.
 */
export type SendToUnconfirmed = (address: string, work: () => Promise<void>) => Promise<boolean>

const perAddress = { attempts: 10, seconds: 24 * 60 * 60 }

/**
 * Creates the limit of mails to unconfirmed addresses, because anyone can enter the address of a stranger. Password resets have their own
 * count, so that other mails can't prevent them.
 */
export function createUnconfirmedMailLimit(
  limits: RateLimits,
  counted: 'any' | 'reset' = 'any',
): SendToUnconfirmed {
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

/** Returns the address without a tag: most providers deliver `ann+tag@example.com` to `ann@example.com`. */
function mailbox(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*(?=@)/, '')
}
