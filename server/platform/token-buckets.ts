import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from './errors.ts'

/** The size of a token bucket and its refill rate. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Returns a full bucket. */
function newBucket({ burst, perSecond }: Rate): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' })
  bucket.content = burst
  return bucket
}

/** Creates a rate limit with a bucket for each key. It returns whether there is a token left, and takes it. */
export type TokenBuckets = <Key extends string | number>(rate: Rate) => (key: Key) => boolean

/** Takes a token of a member. Throws `too_many` if there is none left, with the seconds until the next one. */
export function requireToken(takeToken: (member: number) => boolean, member: number, retryAfter = 1): void {
  if (!takeToken(member)) throw new AppError('too_many', errorMessages.tooManyAttempts, { retryAfter })
}

/** No limits, for load tests. */
export const noTokenBuckets: TokenBuckets = () => () => true

const maxKeys = 50_000

/** Buckets in the memory of this node. The least recently used ones are dropped, which only loosens the limit. */
export const tokenBuckets: TokenBuckets = <Key extends string | number>(rate: Rate) => {
  const buckets = new LRUCache<Key, TokenBucket>({
    // `max` would allocate memory for all keys at once.
    maxSize: maxKeys,
    sizeCalculation: () => 1,
    memoMethod: () => newBucket(rate),
  })
  return (key: Key) => buckets.memo(key).tryRemoveTokens(1)
}
