import { Gauge } from 'prom-client'
import type { Metrics } from '#server/platform/metrics.ts'
import type { Replica } from './replica.ts'

type ReplicaState = Pick<Replica<unknown>, 'name' | 'lagMs' | 'isUsable'>

/** Registers gauges of the replica, which have no values without one. */
export function watchReplica({ registry }: Metrics, replica: ReplicaState | undefined): void {
  const gauges = [
    [
      'rhubarb_replica_lag_seconds',
      'Age of the newest state of the primary that the replica has surely replayed',
      ({ lagMs }: ReplicaState) => lagMs() / 1000,
    ],
    [
      'rhubarb_replica_in_use',
      '1 if reads go to the replica; 0 if it is away or lags',
      ({ isUsable }: ReplicaState) => (isUsable() ? 1 : 0),
    ],
  ] as const
  for (const [name, help, read] of gauges)
    new Gauge({
      name,
      help,
      labelNames: ['replica'],
      registers: [registry],
      collect() {
        if (replica) this.set({ replica: replica.name }, read(replica))
      },
    })
}
