import type { Suspicious } from '#contract/desk-suspicious.ts'
import type { Db } from '#server/tables.ts'
import { listBusyDomains, listBusyNetworks, listPosters, listSenders } from './desk-suspicious-queries.ts'

/** Returns what may be spam, worst first. */
export async function findSuspicious(db: Db): Promise<Suspicious> {
  const [senders, posters, networks, domains] = await Promise.all([
    listSenders(db),
    listPosters(db),
    listBusyNetworks(db),
    listBusyDomains(db),
  ])
  return { senders, posters, networks, domains }
}
