import { isIPv6 } from 'node:net'
import type { RateLimits } from '#server/platform/rate-limits.ts'

interface AttemptLimit {
  /** Counts an attempt for the account and for the client's address. Throws `too_many`. */
  attempt(email: string, address: string): Promise<void>
}

export interface LoginLimit extends AttemptLimit {
  /** Resets the count of wrong passwords after a login and makes the client's network familiar. */
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
 * Limits guesses at a member's password, at login and in calls that require it. All unfamiliar networks share one count per account. A
 * network where the member has logged in lately has its own count, so that strangers can't lock the member out.
 */
function loginLimit(limits: RateLimits): LoginLimit {
  const perAccount = { attempts: 10, seconds: minutes(15) }
  const unfamiliar = limits('login account', perAccount)
  const familiar = limits('login familiar', perAccount)
  const familiarNetworks = limits('login familiar network', { attempts: 1, seconds: days(30) })
  const address = limits('login address', { attempts: 100, seconds: minutes(15) })

  const networkKey = (email: string, from: string) => `${email.toLowerCase()} ${network(from)}`
  return {
    async attempt(email, from) {
      await address.attempt(network(from))
      if (await familiarNetworks.isMarked(networkKey(email, from)))
        await familiar.attempt(networkKey(email, from))
      else await unfamiliar.attempt(email.toLowerCase())
    },
    async succeeded(email, from) {
      if (await familiarNetworks.isMarked(networkKey(email, from)))
        await familiar.reset(networkKey(email, from))
      else await unfamiliar.reset(email.toLowerCase())
      await familiarNetworks.mark(networkKey(email, from))
    },
  }
}

/** Returns the address, or its /64 network for IPv6, because a household has a whole /64. */
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
