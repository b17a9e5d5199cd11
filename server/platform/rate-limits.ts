import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { errorMessages, limitEnds } from '#contract/error-messages.ts'
import { AppError } from './errors.ts'

export interface RateLimit {
  /** Counts one attempt. Throws `too_many` with the seconds to wait when there were too many. */
  attempt(key: string): Promise<void>
  /** Takes one counted attempt back. */
  refund(key: string): Promise<void>
  /** Forgives what was counted for the key. */
  forget(key: string): Promise<void>
  /** Marks the key for as long as the rule lasts, with no attempt counted against it. */
  mark(key: string): Promise<void>
  isMarked(key: string): Promise<boolean>
}

/** `sentence` is what is said instead of the usual words; `limited` says what is limited, and the refusal adds when it ends. */
export type RateLimits = (
  name: string,
  rule: { attempts: number; seconds: number; sentence?: string; limited?: string },
) => RateLimit

/** Limits that all nodes share through the database. Keys are hashed: they are e-mails and addresses. */
export function rateLimits(pool: pg.Pool): RateLimits {
  return (name, { attempts, seconds, limited, sentence = errorMessages.tooManyAttempts }) => {
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
      async attempt(key) {
        try {
          await limiter.consume(hashed(key))
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused
          const retryAfter = Math.ceil(refused.msBeforeNext / 1000)
          const detail = limited === undefined ? sentence : limitEnds(limited, retryAfter)
          throw new AppError('too_many', detail, { retryAfter })
        }
      },
      async refund(key) {
        await limiter.reward(hashed(key))
      },
      async forget(key) {
        await limiter.delete(hashed(key))
      },
      async mark(key) {
        await limiter.set(hashed(key), 0, seconds)
      },
      async isMarked(key) {
        return (await limiter.get(hashed(key))) !== null
      },
    }
  }
}

/** No limits at all, for load tests. */
export const noRateLimits: RateLimits = () => ({
  attempt: async () => {},
  refund: async () => {},
  forget: async () => {},
  mark: async () => {},
  isMarked: async () => false,
})

function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
