import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { run } from '../../scripts/setup.mjs'
import { kinds } from './assumptions.ts'

const file = join(import.meta.dirname, 'measurements.json')

/** CPU time of all nodes, the primary and the replica: milliseconds of a request, unless noted. */
const cost = z.object({ node: z.number(), primary: z.number(), replica: z.number() })
export type Cost = z.output<typeof cost>

const kind = z.object({
  /** With all reads on the primary, and with a replica. */
  alone: cost,
  replicated: cost,
  responseBytes: z.number(),
})

/** Cores in use by hour. */
const day = z.object({
  node: z.array(z.number()),
  primary: z.array(z.number()),
  replica: z.array(z.number()),
})
export type Day = z.output<typeof day>

export const measurementsSchema = z.object({
  units: z.string(),
  machine: z.string(),
  date: z.string(),
  requests: z.record(z.enum(kinds), kind),
  match: cost,
  /** CPU milliseconds per second of a node without requests. */
  idleNode: cost,
  /** CPU microseconds of an event of another node: of the node that receives it, and of Redis for each such node. */
  foreignEvent: z.object({ node: z.number(), redis: z.number() }),
  nodeMegabytes: z.number(),
  socketKilobytes: z.number(),
  connectionsPerNode: z.number(),
  /** Bytes of a row by table, with its share of all indexes. */
  rowBytes: z.record(z.string(), z.number()),
  /** Bytes of all renditions of a photo, and of one that a list shows. */
  photoBytes: z.number(),
  thumbnailBytes: z.number(),
  simulation: z
    .object({
      date: z.string(),
      minutes: z.number(),
      /** The rate of requests, of that of a million members. */
      speed: z.number(),
      requests: z.number(),
      p99: z.number(),
      predicted: day,
      measured: day,
    })
    .optional(),
})
export type Measurements = z.output<typeof measurementsSchema>

export async function readMeasurements(): Promise<Measurements> {
  return measurementsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Stores the measurements with three significant digits. */
export async function saveMeasurements(measurements: Measurements): Promise<void> {
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(3)) : value
  await writeFile(file, JSON.stringify(measurements, rounded))
  await run('biome', ['format', '--write', file])
}
