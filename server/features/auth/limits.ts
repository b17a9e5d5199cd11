import type { Deps } from '#server/deps.ts'
import { networkOf } from '#server/platform/http/network.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'

interface AttemptLimit {
  /** Counts an attempt for the account, named by e-mail or id, and for the client's address. Throws `too_many`. */
  attempt(account: string, address: string): Promise<void>
}

export interface LoginLimit extends AttemptLimit {
  /** Resets the count of wrong passwords after a login and makes the client's network familiar. */
  succeeded(email: string, address: string): Promise<void>
}

export interface AccountLimits {
  readonly login: LoginLimit
  readonly reset: AttemptLimit
  readonly confirmation: AttemptLimit
}

const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds
const daySeconds = 24 * hourSeconds

/** Creates the limits of calls that anyone can make about an account. All nodes share them. */
export function accountLimits(limits: RateLimits): AccountLimits {
  return {
    login: loginLimit(limits),
    reset: attemptLimit(limits, 'reset', addressAttempts),
    confirmation: attemptLimit(limits, 'confirmation', addressAttempts),
  }
}

/** Creates the limit of registrations. On a swap day a network may register as many members as come. */
export function registrationLimit({ limits, site }: Pick<Deps, 'limits' | 'site'>): AttemptLimit {
  const onSwapDay = attemptLimit(limits, 'register', swapDayAttempts)
  const swapDay = swapDayOf(limits, 1)
  return {
    async attempt(account, address) {
      const ordinary = () => attemptLimit(limits, 'register', site.current().registrations_per_hour)
      const limit = (await swapDay.isMarked(wholeSite)) ? onSwapDay : ordinary()
      await limit.attempt(account, address)
    },
  }
}

/** Opens the site for some hours to a swap, whose visitors register through one network. */
export async function openSwapDay(limits: RateLimits, hours: number): Promise<void> {
  await swapDayOf(limits, hours).mark(wholeSite)
}

/** Returns when the swap day ends, if one is on. */
export function swapDayUntil(limits: RateLimits): Promise<string | undefined> {
  return swapDayOf(limits, 1).markedUntil(wholeSite)
}

const wholeSite = 'site'
const swapDayAttempts = 500
const addressAttempts = 20

const swapDayOf = (limits: RateLimits, hours: number) =>
  limits('swap day', { attempts: 1, seconds: hours * hourSeconds })

function attemptLimit(limits: RateLimits, name: string, attempts: number): AttemptLimit {
  const byAccount = limits(`${name} account`, { attempts: 5, seconds: hourSeconds })
  const byAddress = limits(`${name} address`, { attempts, seconds: hourSeconds })
  return {
    async attempt(account, address) {
      await byAddress.attempt(networkOf(address))
      await byAccount.attempt(account.toLowerCase())
    },
  }
}

/**
 * Limits guesses at a member's password, at login and in calls that require it. All unfamiliar networks share one count per account. A
 * network where the member has logged in lately has its own count, so that strangers can't lock the member out.
 */
function loginLimit(limits: RateLimits): LoginLimit {
  const perAccount = { attempts: 10, seconds: 15 * minuteSeconds }
  const unfamiliar = limits('login account', perAccount)
  const familiar = limits('login familiar', perAccount)
  const familiarNetworks = limits('login familiar network', { attempts: 1, seconds: 30 * daySeconds })
  const byAddress = limits('login address', { attempts: 100, seconds: 15 * minuteSeconds })

  const networkKey = (email: string, address: string) => `${email.toLowerCase()} ${networkOf(address)}`
  return {
    async attempt(email, address) {
      await byAddress.attempt(networkOf(address))
      const key = networkKey(email, address)
      if (await familiarNetworks.isMarked(key)) await familiar.attempt(key)
      else await unfamiliar.attempt(email.toLowerCase())
    },
    async succeeded(email, address) {
      const key = networkKey(email, address)
      if (await familiarNetworks.isMarked(key)) await familiar.reset(key)
      else await unfamiliar.reset(email.toLowerCase())
      await familiarNetworks.mark(key)
    },
  }
}
