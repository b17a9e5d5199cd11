// `npm run bench:capacity`: computes how many members servers carry and what they cost, and checks it by a simulated day. README.md
// describes the options.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWeb } from '../../scripts/setup.mjs'
import { print, withTimeLimit } from '../setup.ts'
import { assumptions } from './assumptions.ts'
import { drawCharts } from './charts.ts'
import { startCluster } from './cluster.ts'
import { measure } from './measure.ts'
import { type Measurements, readMeasurements, saveMeasurements } from './measurements.ts'
import {
  costPerMillion,
  demands,
  deployment,
  type Inputs,
  membersPerNode,
  membersPerPrimary,
  membersPerShard,
  mixFactor,
  useParts,
} from './model.ts'
import { deviation, simulateDay } from './simulation.ts'

const { values } = parseArgs({
  options: {
    /** Measures the inputs again instead of reading them. */
    measure: { type: 'boolean', default: false },
    /** Stores the measurements and draws the charts. */
    save: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '10' },
    listings: { type: 'string', default: '100000' },
    callers: { type: 'string', default: '4000' },
  },
})
const minutes = Number(values.minutes)

async function bench(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  let measured: Measurements | undefined = values.measure ? undefined : await readMeasurements()
  if (!measured || minutes > 0) {
    await buildWeb()
    const cluster = await startCluster(stack, Number(values.listings), Number(values.callers))
    measured ??= await measure(cluster, Number(values.seconds))
    if (values.save) await saveMeasurements(measured)
    if (minutes > 0) {
      const inputs = { measured, assumed: assumptions }
      const simulation = await simulateDay(cluster, inputs, minutes, availableParallelism())
      measured = { ...measured, simulation }
    }
  }
  report({ measured, assumed: assumptions })
  if (!values.save) return
  await saveMeasurements(measured)
  await drawCharts({ measured, assumed: assumptions })
}

function report(inputs: Inputs): void {
  const { simulation } = inputs.measured
  const million = (members: number) => `${(members / 1e6).toPrecision(3)} million members`
  print(`\nA node carries ${million(membersPerNode(inputs))}.`)
  for (const replicas of [0, 1, 2, 4])
    print(`A primary with ${replicas} replicas: ${million(membersPerPrimary(inputs, replicas))}.`)
  print(`A shard: ${million(membersPerShard(inputs))}.`)
  for (const members of [1e4, 1e6, 1e8]) {
    const { nodes, shards, databaseSize } = deployment(inputs, members)
    const costs = Object.entries(costPerMillion(inputs, members))
    const dollars = costs.reduce((all, [, each]) => all + each, 0)
    const needs = demands(inputs, members).toSorted((one, other) => other.units - one.units)
    print(
      `\n${members.toLocaleString('en')} members: ${nodes} nodes, ${shards} shards of ${databaseSize} vCPUs, $${dollars.toFixed(0)} a month per million`,
    )
    print(`  ${costs.map(([part, each]) => `${part} $${each.toFixed(0)}`).join(', ')}`)
    print(`  ${needs.map(({ resource, units }) => `${resource} ${units.toPrecision(2)}`).join(', ')}`)
  }
  if (simulation) {
    const factors = useParts.map((part) => `${part} ${mixFactor(inputs.measured, part).toFixed(2)}`)
    const ratios = Object.entries(deviation(inputs.measured) ?? {}).map(
      ([part, ratio]) => `${part} ${ratio.toFixed(2)}`,
    )
    print(
      `Simulated day, ${simulation.minutes} minutes at ${simulation.speed.toFixed(2)} times the rate of a million members, ${simulation.requests} requests, p99 ${simulation.p99.toFixed(0)} ms`,
    )
    print(`  measured / sum of single kinds, even hours: ${factors.join(', ')}`)
    print(`  measured / predicted with these factors, odd hours: ${ratios.join(', ')}`)
  }
}

await withTimeLimit(40, bench)
