import { expect, test } from 'vitest'
import { type Assumptions, assumptions, kinds } from './assumptions.ts'
import type { Measurements } from './measurements.ts'
import {
  bytesPerMember,
  coresPerMember,
  costPerMillion,
  databaseCores,
  demands,
  deployment,
  hourlyCores,
  type Inputs,
  membersPerNode,
  membersPerPrimary,
  membersPerShard,
  mixFactor,
  peakFactor,
  usableCores,
} from './model.ts'

const noRows = { users: 0, sessions: 0, friendships: 0, wants: 0, want_terms: 0 }
const none = { node: 0, primary: 0, replica: 0 }
const rowBytes = { ...noRows, listings: 0, images: 0, messages: 0, threads: 0, matches: 0, notifications: 0 }

/** Only pages cost something: 864 a day of each member, so one in a hundred seconds. */
function inputs(measured: Partial<Measurements> = {}, assumed: Partial<Assumptions> = {}): Inputs {
  const perActiveDay = { ...assumptions.perActiveDay }
  for (const kind of kinds) perActiveDay[kind] = kind === 'page' ? 864 : 0
  const idle = { alone: none, replicated: none, responseBytes: 0 }
  const page = {
    alone: { node: 2, primary: 4, replica: 0 },
    replicated: { node: 2, primary: 1, replica: 3 },
    responseBytes: 1000,
  }
  return {
    measured: {
      requests: Object.fromEntries(kinds.map((kind) => [kind, kind === 'page' ? page : idle])),
      match: none,
      idleNode: none,
      foreignEvent: { node: 0, redis: 0 },
      nodeMegabytes: 100,
      socketKilobytes: 20,
      connectionsPerNode: 10,
      photoBytes: 0,
      thumbnailBytes: 0,
      ...measured,
      rowBytes: { ...rowBytes, ...measured.rowBytes },
    } as Measurements,
    assumed: {
      ...assumptions,
      perActiveDay,
      activeShare: 1,
      hours: Array.from({ length: 24 }, () => 100 / 24),
      seasonalPeak: 1,
      highestUse: 0.5,
      onlineShareOfActive: 0.001,
      database: { ...assumptions.database, sizes: [2, 4], scaling: 1, connections: 100 },
      hotShare: 0,
      replicas: 1,
      rowsPerMember: noRows,
      ...assumed,
    },
  }
}

test('the peak is the busiest hour of the busiest day, over the mean', () => {
  const hours = [...Array.from({ length: 23 }, () => 1), 25]
  expect(peakFactor({ ...assumptions, hours, seasonalPeak: 2 })).toBeCloseTo(25)
})

test('a member uses cores by requests per second and CPU time of each', () => {
  expect(coresPerMember(inputs(), 'alone').node).toBeCloseTo(0.00002)
  expect(coresPerMember(inputs(), 'replicated').replica).toBeCloseTo(0.00003)
})

test('the even hours of a simulated day correct the costs', () => {
  const day = (...node: number[]) => ({ node, primary: [1], replica: [1] })
  const [predicted, measured] = [day(1, 1, 3), day(1, 9, 5)]
  const simulation = { date: '', minutes: 1, speed: 1, requests: 1, p99: 1, predicted, measured }
  const simulated = inputs({ simulation })
  expect(mixFactor(simulated.measured, 'node')).toBeCloseTo(1.5)
  expect(mixFactor(inputs().measured, 'node')).toBe(1)
  const dearer = {
    predicted: { node: [1], primary: [1], replica: [1] },
    measured: { node: [2], primary: [3], replica: [4] },
  }
  const corrected = inputs({ simulation: { ...simulation, ...dearer } })
  expect(coresPerMember(corrected, 'replicated').primary).toBeCloseTo(0.00003, 8)
})

test('matches cost CPU by new listing', () => {
  const perActiveDay = { ...inputs().assumed.perActiveDay, page: 0, 'new listing': 864 }
  const match = { node: 0, primary: 2, replica: 0 }
  expect(
    coresPerMember(inputs({ match }, { perActiveDay, matchesPerListing: 5 }), 'alone').primary,
  ).toBeCloseTo(0.0001)
})

test('a node carries members up to its highest use, without its own work and events of other nodes', () => {
  expect(membersPerNode(inputs())).toBeCloseTo(25_000)
  expect(membersPerNode(inputs({ idleNode: { ...none, node: 100 } }))).toBeCloseTo(20_000)
  const perActiveDay = { ...inputs().assumed.perActiveDay, message: 864 }
  const busy = inputs({ foreignEvent: { node: 100, redis: 0 } }, { perActiveDay })
  expect(membersPerNode(busy, 100_000)).toBeCloseTo(20_000)
})

test('the memory of sockets limits a node', () => {
  const full = inputs({ socketKilobytes: 1000 }, { onlineShareOfActive: 1, node: { cores: 1, gigabytes: 1 } })
  expect(membersPerNode(full)).toBeCloseTo(400)
})

test('replicas share reads, and each replays all writes', () => {
  expect(membersPerPrimary(inputs(), 0)).toBeCloseTo(2 / 0.00004)
  expect(membersPerPrimary(inputs(), 1)).toBeCloseTo(2 / 0.00003)
  expect(membersPerPrimary(inputs(), 3)).toBeCloseTo(2 / 0.00001)
  expect(membersPerPrimary(inputs(), 30)).toBeCloseTo(2 / 0.00001)
  const writes = inputs()
  Object.assign(writes.measured.requests.page.alone, { replica: 2 })
  expect(databaseCores(writes, 1, 2).replica).toBeCloseTo(0.00002 + 0.000005)
})

test('polls of nodes cost the primary', () => {
  const polling = inputs({ idleNode: { ...none, primary: 50 } })
  expect(databaseCores(polling, 25_000, 1).primary).toBeCloseTo(0.25 + 0.05)
})

test('large database servers use their cores less well', () => {
  const assumed = inputs({}, { database: { ...assumptions.database, scaling: 0.6 }, highestUse: 1 }).assumed
  expect(usableCores(assumed, 32)).toBeCloseTo(32 * 0.6)
  expect(usableCores(assumed, 1)).toBeCloseTo(1)
})

test('a shard is full when its disk is', () => {
  const bytes = inputs({ rowBytes: { users: 1e8 } }, { rowsPerMember: { ...noRows, users: 2 } })
  expect(bytesPerMember(bytes).database).toBeCloseTo(2e8)
  expect(membersPerShard(bytes)).toBeCloseTo(10_000)
  const small = inputs({ rowBytes: { users: 1 } }, { rowsPerMember: { ...noRows, users: 2 } })
  expect(membersPerShard(small)).toBeCloseTo(membersPerPrimary(small, 1))
})

test('a shard is full when its hot data fill the memory', () => {
  const hot = inputs({ rowBytes: { users: 1e6 } }, { rowsPerMember: { ...noRows, users: 1 }, hotShare: 0.5 })
  expect(membersPerShard(hot)).toBeCloseTo(24_000)
  expect(deployment(hot, 10_000).databaseSize).toBe(2)
  expect(deployment(hot, 20_000).databaseSize).toBe(4)
  expect(deployment(hot, 30_000).shards).toBe(2)
})

test('a resource is saturated at one unit', () => {
  const units = (members: number) =>
    Object.fromEntries(demands(inputs(), members).map(({ resource, units }) => [resource, units]))
  expect(units(25_000)['Node (1 vCPU)']).toBeCloseTo(1)
  expect(units(200_000)['Primary: CPU']).toBeCloseTo(1)
  expect(units(250_000)['Primary: connections']).toBeCloseTo(1)
})

test('a deployment has the smallest servers that suffice, and a node to spare', () => {
  expect(deployment(inputs(), 1000)).toEqual({ nodes: 2, shards: 1, databaseSize: 2 })
  expect(deployment(inputs(), 60_000)).toEqual({ nodes: 4, shards: 1, databaseSize: 4 })
  expect(deployment(inputs(), 130_000)).toEqual({ nodes: 7, shards: 2, databaseSize: 4 })
})

test('the cost of a million members has servers, disks, traffic and mails', () => {
  const prices = {
    ...{ vcpuHour: 1, diskGigabyteMonth: 1 },
    ...{ photoGigabyteMonth: 1, trafficGigabyte: 1, thousandMails: 1 },
  }
  const costs = costPerMillion(
    inputs(
      { rowBytes: { users: 1000 } },
      { prices, rowsPerMember: { ...noRows, users: 1 }, mailsPerMonth: 2, photosSeenPerActiveDay: 0 },
    ),
    60_000,
  )
  expect(costs.nodes).toBeCloseTo((4 * 730) / 0.06)
  expect(costs.databases).toBeCloseTo((2 * 4 * 730) / 0.06)
  expect(costs.disks).toBeCloseTo(4)
  expect(costs.traffic).toBeCloseTo(864 * (365 / 12))
  expect(costs.mails).toBeCloseTo(2000)
})

test('a day has the mean of the hours, and the work of idle nodes', () => {
  const hours = [...Array.from({ length: 23 }, () => 1), 25]
  const day = hourlyCores(inputs({ idleNode: { ...none, node: 10 } }, { hours }), 1000, 2)
  expect(day.node[0]).toBeCloseTo(0.01 + 0.02)
  expect(day.node[23]).toBeCloseTo(0.25 + 0.02)
})
