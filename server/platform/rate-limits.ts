import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError, type ErrorCode } from './errors.ts'

export interface RateLimit {
  /**
   * Counts an attempt, as several points if it has a size. Throws `too_many` with the seconds to wait if the limit is reached. With 0
   * points only checks what is counted.
   */
  attempt(key: string, points?: number): Promise<void>
  /** Counts points that are known afterwards. */
  count(key: string, points: number): Promise<void>
  /** Subtracts a counted attempt. */
  refund(key: string): Promise<void>
  /** Resets the count of the key. */
  reset(key: string): Promise<void>
  /** Stores the key for the duration of the rule without counting an attempt. */
  mark(key: string): Promise<void>
  isMarked(key: string): Promise<boolean>
  /** Returns when a marked key ends, or undefined. */
  markedUntil(key: string): Promise<string | undefined>
}

/** A rule is for a day by default. `message` replaces the default message. `limited` names what is limited; its message adds when the limit ends. `code` replaces `too_many`. */
export type RateLimits = (
  name: string,
  rule: { attempts: number; seconds?: number; message?: string; limited?: string; code?: ErrorCode },
) => RateLimit

const daySeconds = 24 * 60 * 60

/** Creates limits that all nodes share through the database. Keys are hashed because they are e-mails and addresses. */
export function rateLimits(pool: pg.Pool): RateLimits {
  return (
    name,
    { attempts, seconds = daySeconds, limited, message = errorMessages.tooManyAttempts, code = 'too_many' },
  ) => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: attempts,
      duration: seconds,
      inMemoryBlockOnConsumed: attempts + 1,
    })
    return {
      async attempt(key, points = 1) {
        try {
          await limiter.consume(hashKey(key), points)
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused
          const retryAfter = Math.ceil(refused.msBeforeNext / 1000)
          const detail = limited === undefined ? message : limitEnds(limited, retryAfter)
          throw new AppError(code, detail, { retryAfter })
        }
      },
      async count(key, points) {
        await limiter.penalty(hashKey(key), points)
      },
      async refund(key) {
        await limiter.reward(hashKey(key))
      },
      async reset(key) {
        await limiter.delete(hashKey(key))
      },
      async mark(key) {
        await limiter.set(hashKey(key), 0, seconds)
      },
      async isMarked(key) {
        return (await limiter.get(hashKey(key))) !== null
      },
      async markedUntil(key) {
        const found = await limiter.get(hashKey(key))
        return found === null ? undefined : new Date(Date.now() + found.msBeforeNext).toISOString()
      },
    }
  }
}

/** No limits at all, for load tests. */
export const noRateLimits: RateLimits = () => ({
  attempt: async () => {},
  count: async () => {},
  refund: async () => {},
  reset: async () => {},
  mark: async () => {},
  isMarked: async () => false,
  markedUntil: async () => undefined,
})

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

const relative = new Intl.RelativeTimeFormat('en-US')

/** Returns the message of a limit with its end: "… Please try again in 5 hours." */
function limitEnds(sentence: string, seconds: number): string {
  const end =
    seconds < 3600
      ? relative.format(Math.ceil(seconds / 60), 'minute')
      : relative.format(Math.ceil(seconds / 3600), 'hour')
  return `${sentence}. Please try again ${end}.`
}
