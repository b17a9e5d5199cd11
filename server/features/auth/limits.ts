import { isIPv6 } from 'node:net'
import type { RateLimits } from '#server/platform/rate-limits.ts'

interface AttemptLimit {
  /** Counts an attempt for the account and for the address it comes from. Throws `too_many`. */
  attempt(email: string, address: string): Promise<void>
}

export interface LoginLimit extends AttemptLimit {
  /** A right password forgives the wrong ones before it, and makes the place it came from a familiar one. */
  succeeded(email: string, address: string): Promise<void>
}

export interface AccountLimits {
  readonly login: LoginLimit
  readonly register: AttemptLimit
  readonly reset: AttemptLimit
  readonly confirmation: AttemptLimit
}

const minutes = (count: number) => count * 60
const days = (count: number) => minutes(count * 24 * 60)

export function accountLimits(limits: RateLimits): AccountLimits {
  return {
    login: loginLimit(limits),
    register: attemptLimit(limits, 'register', 5, 20, minutes(60)),
    reset: attemptLimit(limits, 'reset', 5, 20, minutes(60)),
    confirmation: attemptLimit(limits, 'confirmation', 5, 20, minutes(60)),
  }
}

function attemptLimit(
  limits: RateLimits,
  name: string,
  perAccount: number,
  perAddress: number,
  seconds: number,
): AttemptLimit {
  const account = limits(`${name} account`, { attempts: perAccount, seconds })
  const address = limits(`${name} address`, { attempts: perAddress, seconds })
  return {
    async attempt(email, from) {
      await address.attempt(network(from))
      await account.attempt(email.toLowerCase())
    },
  }
}

/**
 * Counts every try at a member's password, at the login or behind it. Strangers share one count of tries at an account, wherever
 * they come from. Where its owner has logged in lately has a count of its own, so that strangers can't keep the owner out.
 */
function loginLimit(limits: RateLimits): LoginLimit {
  const perAccount = { attempts: 10, seconds: minutes(15) }
  const strangers = limits('login account', perAccount)
  const familiar = limits('login familiar', perAccount)
  const places = limits('login place', { attempts: 1, seconds: days(30) })
  const address = limits('login address', { attempts: 100, seconds: minutes(15) })

  const place = (email: string, from: string) => `${email.toLowerCase()} ${network(from)}`
  return {
    async attempt(email, from) {
      await address.attempt(network(from))
      if (await places.isMarked(place(email, from))) await familiar.attempt(place(email, from))
      else await strangers.attempt(email.toLowerCase())
    },
    async succeeded(email, from) {
      if (await places.isMarked(place(email, from))) await familiar.forget(place(email, from))
      else await strangers.forget(email.toLowerCase())
      await places.mark(place(email, from))
    },
  }
}

/** An IPv6 household has a whole /64 of addresses: it counts as one. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail.split(':').filter(Boolean)
  const all = address.includes('::')
    ? [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
    : groups
  return all.slice(0, 4).join(':')
}
