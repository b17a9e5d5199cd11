import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { listNewestPrices } from './queries.ts'

const howMany = 500
const goodForMs = 600_000
const samples = new WeakMap<Deps['db'], LRUCache<'prices', readonly number[]>>()

/** What the newest public sales cost, the cheapest first: by it one can tell how many cost no more than something. */
export async function samplePrices(db: Deps['db']): Promise<readonly number[]> {
  const kept = samples.get(db) ?? new LRUCache<'prices', readonly number[]>({ max: 1, ttl: goodForMs })
  samples.set(db, kept)
  const known = kept.get('prices')
  if (known) return known
  const prices = (await listNewestPrices(db, howMany)).sort((a, b) => a - b)
  kept.set('prices', prices)
  return prices
}
