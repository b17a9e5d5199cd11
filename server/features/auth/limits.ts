import { isIPv6 } from 'node:net'
import type { RateLimits } from '#server/platform/rate-limits.ts'

interface AttemptLimit {
  /** Counts an attempt for the account and for the address it comes from. Throws `too_many`. */
  attempt(email: string, address: string): Promise<void>
  /** A right password forgives the account's wrong ones. */
  succeeded(email: string): Promise<void>
}

export interface AccountLimits {
  readonly login: AttemptLimit
  readonly register: AttemptLimit
  readonly reset: AttemptLimit
}

const minutes = (count: number) => count * 60

export function accountLimits(limits: RateLimits): AccountLimits {
  const limit = (name: string, perAccount: number, perAddress: number, seconds: number): AttemptLimit => {
    const account = limits(`${name} account`, { attempts: perAccount, seconds })
    const address = limits(`${name} address`, { attempts: perAddress, seconds })
    return {
      async attempt(email, from) {
        await address.attempt(network(from))
        await account.attempt(email.toLowerCase())
      },
      succeeded: (email) => account.forget(email.toLowerCase()),
    }
  }
  return {
    login: limit('login', 10, 100, minutes(15)),
    register: limit('register', 5, 20, minutes(60)),
    reset: limit('reset', 5, 20, minutes(60)),
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
