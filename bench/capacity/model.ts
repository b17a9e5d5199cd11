// The capacity model: pure functions of the measurements and the assumptions. Rates are those of the busiest hour of the year.
import type { Assumptions, Kind } from './assumptions.ts'
import type { Cost, Day, Measurements } from './measurements.ts'

export interface Inputs {
  readonly measured: Measurements
  readonly assumed: Assumptions
}

const secondsPerDay = 86_400
const daysPerMonth = 365 / 12
const hoursPerMonth = daysPerMonth * 24
const gigabyte = 1e9

/** The servers whose CPU time is measured. */
export const useParts = ['node', 'primary', 'replica'] as const

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Returns the busiest hour of the year over the mean hour. */
export function peakFactor({ hours, seasonalPeak }: Assumptions): number {
  return (Math.max(...hours) / sum(hours)) * hours.length * seasonalPeak
}

/** Returns the requests of a kind per second and member in the mean hour. */
export function meanRate({ perActiveDay, activeShare }: Assumptions, kind: Kind): number {
  return (perActiveDay[kind] * activeShare) / secondsPerDay
}

/**
 * Returns the factor by which requests cost more or less in their mix than one kind at a time: measured over predicted cores in the
 * even hours of the simulated day. The odd hours check it.
 */
export function mixFactor({ simulation }: Measurements, part: keyof Day): number {
  if (!simulation) return 1
  const even = (day: Day) => sum(day[part].filter((_, hour) => hour % 2 === 0))
  return even(simulation.measured) / even(simulation.predicted)
}

/** Returns the cores in use for each member in the mean hour. `replica` is for writes that every replica replays, and for all reads. */
export function coresPerMember(
  { measured, assumed }: Inputs,
  reads: 'alone' | 'replicated',
  mixed = true,
): Cost {
  const use = (part: keyof Cost) => {
    const requests = Object.entries(measured.requests).map(
      ([kind, costs]) => meanRate(assumed, kind as Kind) * costs[reads][part],
    )
    const matches = meanRate(assumed, 'new listing') * assumed.matchesPerListing * measured.match[part]
    return ((sum(requests) + matches) / 1000) * (mixed ? mixFactor(measured, part) : 1)
  }
  return { node: use('node'), primary: use('primary'), replica: use('replica') }
}

/** Returns the events that nodes publish per second and member at the peak: messages and matches. */
export function eventsPerMember({ assumed }: Inputs): number {
  const mean = meanRate(assumed, 'message') + meanRate(assumed, 'new listing') * assumed.matchesPerListing
  return mean * peakFactor(assumed)
}

/** Returns the members of a node among so many. Each node receives the events of all others. */
export function membersPerNode(inputs: Inputs, members = 0): number {
  const { measured, assumed } = inputs
  const { cores, gigabytes } = assumed.node
  const events = (members * eventsPerMember(inputs) * measured.foreignEvent.node) / 1e6
  const left = cores * assumed.highestUse - measured.idleNode.node / 1000 - events
  const byCores = left / (coresPerMember(inputs, 'replicated').node * peakFactor(assumed))
  const free = gigabytes * 1e6 * assumed.highestUse - measured.nodeMegabytes * 1000
  const bySockets = free / (measured.socketKilobytes * assumed.activeShare * assumed.onlineShareOfActive)
  return Math.max(0, Math.min(byCores, bySockets))
}

/** Returns the cores of the primary and of each replica that so many members need at the peak, with the polls of their nodes. */
export function databaseCores(inputs: Inputs, members: number, replicas: number) {
  const { measured, assumed } = inputs
  const use = coresPerMember(inputs, replicas > 0 ? 'replicated' : 'alone')
  const nodes = members / membersPerNode(inputs)
  const replayed = replayCores(inputs)
  const peak = members * peakFactor(assumed)
  return {
    primary: peak * use.primary + (nodes * measured.idleNode.primary) / 1000,
    replica:
      replicas > 0
        ? peak * (replayed + (use.replica - replayed) / replicas) + (nodes * measured.idleNode.replica) / 1000
        : 0,
  }
}

/** Returns the cores that each replica needs for the writes of a member in the mean hour. */
function replayCores({ measured, assumed }: Inputs): number {
  const writes = Object.entries(measured.requests).map(
    ([kind, costs]) => meanRate(assumed, kind as Kind) * costs.alone.replica,
  )
  const matches = meanRate(assumed, 'new listing') * assumed.matchesPerListing * measured.match.replica
  return ((sum(writes) + matches) / 1000) * mixFactor(measured, 'replica')
}

/** Returns the cores that a database server of this size may use. */
export function usableCores({ database, highestUse }: Assumptions, size: number): number {
  const largest = Math.max(...database.sizes)
  const scaling = 1 - ((1 - database.scaling) * (size - 1)) / (largest - 1)
  return size * scaling * highestUse
}

/** Returns the members that the CPUs of the largest primary and of its replicas carry. */
export function membersPerPrimary(inputs: Inputs, replicas: number): number {
  const usable = usableCores(inputs.assumed, Math.max(...inputs.assumed.database.sizes))
  const { primary, replica } = databaseCores(inputs, 1, replicas)
  return usable / Math.max(primary, replica)
}

/** Returns the rows of a member by table after the assumed years. */
export function rowsPerMember({ assumed }: Inputs): Record<string, number> {
  const seconds = assumed.years * 365 * secondsPerDay
  const kept = (kind: Kind) => meanRate(assumed, kind) * seconds
  const matches = kept('new listing') * assumed.matchesPerListing
  return {
    ...assumed.rowsPerMember,
    listings: kept('new listing'),
    images: kept('photo'),
    messages: kept('message'),
    threads: (kept('message') / assumed.messagesPerThread) * 2,
    matches,
    notifications: matches,
  }
}

/** Returns the bytes of a member in the database and of the member's photos. */
export function bytesPerMember(inputs: Inputs): { readonly database: number; readonly photos: number } {
  const rows = Object.entries(rowsPerMember(inputs))
  const seconds = inputs.assumed.years * 365 * secondsPerDay
  return {
    database: sum(rows.map(([table, count]) => count * (inputs.measured.rowBytes[table] ?? Number.NaN))),
    photos: meanRate(inputs.assumed, 'photo') * seconds * inputs.measured.photoBytes,
  }
}

/** Returns the bytes that a database server of this size can hold in memory. */
function cacheBytes({ database }: Assumptions, size: number): number {
  return size * database.memoryPerCore * database.cacheShare * gigabyte
}

/** Returns the members of a primary with its replicas, by CPU, by disk and by memory. */
export function membersPerShard(inputs: Inputs): number {
  const { assumed } = inputs
  const bytes = bytesPerMember(inputs).database
  const byDisk = (assumed.database.gigabytes * gigabyte * assumed.highestUse) / bytes
  const byMemory = cacheBytes(assumed, Math.max(...assumed.database.sizes)) / (bytes * assumed.hotShare)
  return Math.min(membersPerPrimary(inputs, assumed.replicas), byDisk, byMemory)
}

export interface Demand {
  readonly resource: string
  /** The need of the busiest hour, of what one unit may carry. Above 1 the resource is saturated. */
  readonly units: number
}

/** Returns the need of each resource, in units of one node, one largest primary and so on. */
export function demands(inputs: Inputs, members: number): Demand[] {
  const { measured, assumed } = inputs
  const cores = databaseCores(inputs, members, assumed.replicas)
  const largest = Math.max(...assumed.database.sizes)
  const usable = usableCores(assumed, largest)
  const bytes = bytesPerMember(inputs)
  const perNode = membersPerNode(inputs, members)
  const nodes = members / perNode
  const deliveries = members * eventsPerMember(inputs) * Math.max(1, nodes)
  const { gigabytes, connections } = assumed.database
  return [
    { resource: 'Node (1 vCPU)', units: perNode > 0 ? nodes : Number.POSITIVE_INFINITY },
    { resource: 'Primary: CPU', units: cores.primary / usable },
    { resource: 'Replica: CPU', units: cores.replica / usable },
    {
      resource: 'Primary: memory',
      units: (members * bytes.database * assumed.hotShare) / cacheBytes(assumed, largest),
    },
    {
      resource: 'Primary: disk',
      units: (members * bytes.database) / (gigabytes * gigabyte * assumed.highestUse),
    },
    {
      resource: 'Primary: connections',
      units: (Math.ceil(nodes) * measured.connectionsPerNode) / connections,
    },
    { resource: 'Redis: CPU', units: (deliveries * measured.foreignEvent.redis) / 1e6 / assumed.highestUse },
  ]
}

/** The servers of so many members. */
export interface Deployment {
  readonly nodes: number
  readonly shards: number
  /** The vCPUs of each database server. */
  readonly databaseSize: number
}

/** Returns the smallest servers that carry so many members, with a node to spare. Events stay within a shard. */
export function deployment(inputs: Inputs, members: number): Deployment {
  const { assumed } = inputs
  const shards = Math.ceil(members / membersPerShard(inputs))
  const perShard = members / shards
  const { primary, replica } = databaseCores(inputs, perShard, assumed.replicas)
  const hotBytes = perShard * bytesPerMember(inputs).database * assumed.hotShare
  const size = assumed.database.sizes.find(
    (size) =>
      usableCores(assumed, size) >= Math.max(primary, replica) && cacheBytes(assumed, size) >= hotBytes,
  )
  const nodes = Math.ceil(perShard / membersPerNode(inputs, perShard)) * shards + 1
  return { nodes: Math.max(2, nodes), shards, databaseSize: size ?? Math.max(...assumed.database.sizes) }
}

export const costParts = ['nodes', 'databases', 'disks', 'photos', 'traffic', 'mails'] as const
export type Costs = Readonly<Record<(typeof costParts)[number], number>>

/** Returns the dollars a month for each million members, of so many. */
export function costPerMillion(inputs: Inputs, members: number): Costs {
  const { assumed, measured } = inputs
  const { prices, replicas, activeShare, photosSeenPerActiveDay } = assumed
  const { nodes, shards, databaseSize } = deployment(inputs, members)
  const bytes = bytesPerMember(inputs)
  const servers = 1 + replicas
  const responses = Object.entries(measured.requests).map(
    ([kind, { responseBytes }]) => meanRate(assumed, kind as Kind) * secondsPerDay * responseBytes,
  )
  const traffic = sum(responses) + activeShare * photosSeenPerActiveDay * measured.thumbnailBytes
  const perMillion = (dollars: number) => (dollars / members) * 1e6
  const each = (dollars: number) => dollars * 1e6
  return {
    nodes: perMillion(nodes * assumed.node.cores * hoursPerMonth * prices.vcpuHour),
    databases: perMillion(shards * servers * databaseSize * hoursPerMonth * prices.vcpuHour),
    disks: each((bytes.database / gigabyte / assumed.highestUse) * servers * prices.diskGigabyteMonth),
    photos: each((bytes.photos / gigabyte) * prices.photoGigabyteMonth),
    traffic: each((traffic / gigabyte) * daysPerMonth * prices.trafficGigabyte),
    mails: each((assumed.mailsPerMonth / 1000) * prices.thousandMails),
  }
}

/** Returns the cores that nodes and databases use in each hour of a day of so many members, by the costs of single kinds. */
export function hourlyCores(inputs: Inputs, members: number, nodes: number): Day {
  const { hours } = inputs.assumed
  const use = coresPerMember(inputs, 'replicated', false)
  const perHour = (members / sum(hours)) * hours.length
  const cores = (part: keyof Day) =>
    hours.map((share) => use[part] * share * perHour + (nodes * inputs.measured.idleNode[part]) / 1000)
  return { node: cores('node'), primary: cores('primary'), replica: cores('replica') }
}
