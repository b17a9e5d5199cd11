import { sampleOf } from '../sample.ts'
import { print } from '../setup.ts'
import { type Kind, kinds } from './assumptions.ts'
import { type Cluster, difference, matchingWants } from './cluster.ts'
import type { Cost, Day, Measurements } from './measurements.ts'
import { hourlyCores, type Inputs, meanRate, mixFactor, useParts } from './model.ts'
import { openTraffic } from './traffic.ts'

const simulatedMembers = 1_000_000
const nodeCount = 2
/** The cores of the machine that the busiest hour shall use, as predicted. The rest is for the clients. */
const busiestShare = 0.6

/** Returns the rate at which this machine can replay a day of a million members, of their own rate. */
function replaySpeed(inputs: Inputs, cores: number): number {
  const highest = (day: Day) => Math.max(...day.node.map((_, hour) => total(coresOf(day, hour))))
  const idle = highest(hourlyCores(inputs, 0, nodeCount))
  const busiest = highest(hourlyCores(inputs, simulatedMembers, nodeCount))
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
  const measured: Day = { node: [], primary: [], replica: [] }
  const latencies: number[] = []
  for (const [hour, share] of assumed.hours.entries()) {
    const factor = (share / 100) * assumed.hours.length * simulatedMembers * speed
    const rates = Object.fromEntries(kinds.map((kind) => [kind, meanRate(assumed, kind) * factor]))
    const before = await cluster.use()
    const start = performance.now()
    const driven = await traffic.drive(seconds, () => rates as Record<Kind, number>)
    const elapsed = (performance.now() - start) / 1000
    const used = difference(before, await cluster.use())
    for (const part of useParts) measured[part].push(used[part] / elapsed)
    latencies.push(...driven.latencies)
    const { p99 } = sampleOf(0, driven.latencies)
    print(
      `Hour ${hour}: ${(driven.latencies.length / elapsed).toFixed(0)} requests a second, p99 ${p99.toFixed(0)} ms; cores predicted ${describe(coresOf(predicted, hour))}; measured ${describe(coresOf(measured, hour))}`,
    )
  }
  traffic.close()
  const { p99 } = sampleOf(0, latencies)
  const date = new Date().toISOString().slice(0, 10)
  return { date, minutes, speed, requests: latencies.length, p99, predicted, measured }
}

function coresOf(day: Day, hour: number): Cost {
  return {
    node: day.node[hour] ?? 0,
    primary: day.primary[hour] ?? 0,
    replica: day.replica[hour] ?? 0,
  }
}

const total = ({ node, primary, replica }: Cost) => node + primary + replica

function describe({ node, primary, replica }: Cost): string {
  return `${node.toFixed(2)} nodes, ${primary.toFixed(2)} primary, ${replica.toFixed(2)} replica`
}

/** Returns the measured use of the odd hours over the predicted with the mix factors, of each part and of all. */
export function deviation(measurements: Measurements) {
  const { simulation } = measurements
  if (!simulation) return undefined
  const odd = (day: Day, part: keyof Day) =>
    day[part].reduce((all, cores, hour) => (hour % 2 === 1 ? all + cores : all), 0)
  const measured = (part: keyof Day) => odd(simulation.measured, part)
  const predicted = (part: keyof Day) => odd(simulation.predicted, part) * mixFactor(measurements, part)
  const each = Object.fromEntries(useParts.map((part) => [part, measured(part) / predicted(part)]))
  const all = (of: (part: keyof Day) => number) => of('node') + of('primary') + of('replica')
  return { ...each, all: all(measured) / all(predicted) }
}
