import { LRUCache } from 'lru-cache'

/** The size of a token bucket and its refill rate. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** The tokens of a bucket at a time. */
interface Bucket {
  left: number
  at: number
}

function refill(bucket: Bucket, { burst, perSecond }: Rate) {
  const now = performance.now()
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
  bucket.at = now
}

/** Takes a token from the bucket. Returns false if it is empty. */
function take(bucket: Bucket, rate: Rate): boolean {
  refill(bucket, rate)
  if (bucket.left < 1) return false
  bucket.left -= 1
  return true
}

export function tokenBucket(rate: Rate): () => boolean {
  const bucket = { left: rate.burst, at: performance.now() }
  return () => take(bucket, rate)
}

/** Creates a rate limit. It returns whether a key has a token left, and takes it. */
export type TokenBuckets = <Key extends string | number>(rate: Rate) => (key: Key) => boolean

/** No limits, for load tests. */
export const noTokenBuckets: TokenBuckets = () => () => true

const maxKeys = 50_000

/** A bucket per key in the memory of this node. The least recently used buckets are dropped, which only loosens the limit. */
export const tokenBuckets: TokenBuckets = <Key extends string | number>(rate: Rate) => {
  const buckets = new LRUCache<Key, Bucket>({ max: maxKeys })
  return (key: Key) => {
    const bucket = buckets.get(key) ?? { left: rate.burst, at: performance.now() }
    buckets.set(key, bucket)
    return take(bucket, rate)
  }
}
