import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { inTransaction, withPrecondition } from '#server/platform/db/database.ts'
import type { EventBus } from '#server/platform/events/event-bus.ts'
import type { Db, Tx } from '#server/tables.ts'
import { notifyRevoked, type Revocation, revokedChannel } from './queries.ts'

/** The time to live of cached sessions. It is also the longest wait for the acknowledgements of other nodes. */
export const cacheTtlMs = 1000
const acknowledgedChannel = 'session_revoked_acknowledged'

interface Listeners {
  /** Removes all sessions from the cache. */
  readonly clearCache: () => void
  /** Called when sessions of a member have ended, or with undefined when a revocation may have been missed. */
  readonly ended: (userId: number | undefined) => void
}

/**
 * Runs a transaction that ends sessions. Resolves after the commit, when each node has removed the sessions from its
 * cache. `notifyEnded` notifies the nodes with the commit.
 */
export type Revoke = <Result>(
  work: (tx: Tx, notifyEnded: (userId: number) => Promise<void>) => Promise<Result>,
) => Promise<Result>

export function createRevocations(db: Db, bus: EventBus, { clearCache, ended }: Listeners): Revoke {
  const acknowledged = new EventEmitter()
  bus.on(
    revokedChannel,
    (payload) => {
      const { user_id, id } = payload as Revocation
      clearCache()
      bus.publish(acknowledgedChannel, id)
      ended(user_id)
    },
    () => {
      clearCache()
      ended(undefined)
    },
  )
  bus.on(
    acknowledgedChannel,
    (id) => acknowledged.emit(String(id)),
    () => {},
  )

  return async (work) => {
    const id = randomUUID()
    let nodes: number | undefined
    let acknowledgements = 0
    const allAcknowledged = new Promise<void>((resolve) => {
      acknowledged.on(id, () => {
        acknowledgements += 1
        if (nodes !== undefined && acknowledgements >= nodes) resolve()
      })
    })
    try {
      const transaction = () =>
        inTransaction(db, (tx) =>
          work(tx, async (user_id) => {
            nodes = await notifyRevoked(tx, { user_id, id })
          }),
        )
      // Ending sessions locks them for update. A share lock before that could deadlock two such transactions.
      const result = await withPrecondition(undefined, transaction)
      clearCache()
      // The cache of a node that does not acknowledge has expired after `cacheTtlMs`.
      if (nodes !== undefined)
        await Promise.race([allAcknowledged, setTimeout(cacheTtlMs, undefined, { ref: false })])
      return result
    } finally {
      acknowledged.removeAllListeners(id)
    }
  }
}
