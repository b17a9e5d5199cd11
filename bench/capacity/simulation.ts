import { sampleOf } from '../sample.ts'
import { print } from '../setup.ts'
import { type Kind, kinds } from './assumptions.ts'
import { type Cluster, difference, matchingWants } from './cluster.ts'
import type { HourOfUse, Measurements } from './measurements.ts'
import { hourlyCores, type Inputs, meanRate, mixFactor, useParts } from './model.ts'
import { openTraffic } from './traffic.ts'

export const simulatedMembers = 1_000_000
const nodeCount = 2
/** The cores of the machine that the busiest hour shall use, as predicted. The rest is for the clients. */
const busiestShare = 0.6

/** Returns the cores of all parts. */
export function total({ node, primary, replica }: HourOfUse): number {
  return node + primary + replica
}

/** Returns the rate at which this machine can replay a day of a million members, of their own rate. */
export function replaySpeed(inputs: Inputs, cores: number): number {
  const idle = Math.max(...hourlyCores(inputs, 0, nodeCount).map(total))
  const busiest = Math.max(...hourlyCores(inputs, simulatedMembers, nodeCount).map(total))
  return (cores * busiestShare - idle) / (busiest - idle)
}

/**
 * Sends the requests of a day to two nodes with a replica, 24 hours in so many minutes, and measures the cores in use by hour. The
 * rates are those of a million members times `speed`.
 */
export async function simulateDay(
  cluster: Cluster,
  inputs: Inputs,
  minutes: number,
  cores: number,
): Promise<NonNullable<Measurements['simulation']>> {
  const { assumed } = inputs
  const speed = replaySpeed(inputs, cores)
  const predicted = hourlyCores(inputs, simulatedMembers * speed, nodeCount)
  const nodes = await cluster.startNodes(nodeCount, { readsReplica: true })
  const traffic = await openTraffic(nodes, cluster.market, cluster.callers)
  traffic.matchingShare = assumed.matchesPerListing / matchingWants
  const seconds = (minutes * 60) / assumed.hours.length
  const measured: HourOfUse[] = []
  const latencies: number[] = []
  for (const [hour, share] of assumed.hours.entries()) {
    const factor = (share / 100) * assumed.hours.length * simulatedMembers * speed
    const rates = Object.fromEntries(kinds.map((kind) => [kind, meanRate(assumed, kind) * factor]))
    const before = await cluster.use()
    const start = performance.now()
    const driven = await traffic.drive(seconds, () => rates as Record<Kind, number>)
    const elapsed = (performance.now() - start) / 1000
    const used = difference(before, await cluster.use())
    measured.push({
      node: used.node / elapsed,
      primary: used.primary / elapsed,
      replica: used.replica / elapsed,
    })
    latencies.push(...driven.latencies)
    const { p99 } = sampleOf(0, driven.latencies)
    print(
      `Hour ${hour}: ${(driven.latencies.length / elapsed).toFixed(0)} requests a second, p99 ${p99.toFixed(0)} ms; cores predicted ${describe(predicted[hour])}; measured ${describe(measured[hour])}`,
    )
  }
  traffic.close()
  const { p50, p99 } = sampleOf(0, latencies)
  const date = new Date().toISOString().slice(0, 10)
  return { date, minutes, speed, requests: latencies.length, p50, p99, predicted, measured }
}

function describe(use: HourOfUse | undefined): string {
  return use
    ? `${use.node.toFixed(2)} nodes, ${use.primary.toFixed(2)} primary, ${use.replica.toFixed(2)} replica`
    : '–'
}

/** Returns the measured use of the odd hours over the predicted with the mix factors, of each part and of all. */
export function deviation(measurements: Measurements) {
  const { simulation } = measurements
  if (!simulation) return undefined
  const sum = (hours: readonly HourOfUse[], part: keyof HourOfUse) =>
    hours.reduce((all, use, hour) => (hour % 2 === 1 ? all + use[part] : all), 0)
  const measured = (part: keyof HourOfUse) => sum(simulation.measured, part)
  const predicted = (part: keyof HourOfUse) => sum(simulation.predicted, part) * mixFactor(measurements, part)
  const each = Object.fromEntries(useParts.map((part) => [part, measured(part) / predicted(part)]))
  const all = (of: (part: keyof HourOfUse) => number) => of('node') + of('primary') + of('replica')
  return { ...each, all: all(measured) / all(predicted) }
}
