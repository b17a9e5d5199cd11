import { LRUCache } from 'lru-cache'

/** How much may come at once, and how much a second in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** The used part of a rate limit at a time. */
interface Bucket {
  left: number
  at: number
}

function refill(bucket: Bucket, { burst, perSecond }: Rate) {
  const now = performance.now()
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond)
  bucket.at = now
}

/** Takes one from the bucket; false when it is empty. */
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

/** Makes limits of a rate: whether a key may do it once more. */
export type Bursts = <Key extends string | number>(rate: Rate) => (key: Key) => boolean

/** No limits at all, for load tests. */
export const noBursts: Bursts = () => () => true

const maxKeys = 50_000

/** A bucket a key, in the memory of this node. Those not used for longest are forgotten, which only forgives. */
export const tokenBuckets: Bursts = <Key extends string | number>(rate: Rate) => {
  const buckets = new LRUCache<Key, Bucket>({ max: maxKeys })
  return (key: Key) => {
    const bucket = buckets.get(key) ?? { left: rate.burst, at: performance.now() }
    buckets.set(key, bucket)
    return take(bucket, rate)
  }
}
