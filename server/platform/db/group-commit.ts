import pg from 'pg'
import { overloaded } from '#server/platform/queue.ts'
import { outsideCallers } from './outside-callers.ts'

export interface GroupCommit<Item, Result> {
  /** Writes all or none in one transaction. Returns a result for each item in the same order. */
  write(items: readonly Item[]): Promise<readonly Result[]>
  /** Returns a key. Items with the same key are written in their order of arrival. */
  order(item: Item): string
}

/** One group is prepared while another waits for the disk. More would only make the groups smaller. */
const maxGroupsInFlight = 2
const maxGroupSize = 200
/** Further items are refused, so that the others are written before their clients give up. */
const maxWaiting = 2000
const deadlock = '40P01'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly order: string
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes items that arrive together in one transaction, so that they share a commit. A single item is written at once. Resolves after
 * the commit. If a group fails because of an item, each item is written alone. Throws `unavailable` if too many items wait.
 */
export function groupCommit<Item, Result>({ write, order }: GroupCommit<Item, Result>) {
  type Group = readonly Waiting<Item, Result>[]
  let waiting: Waiting<Item, Result>[] = []
  const busy = new Set<string>()
  let inFlight = 0
  let isScheduled = false

  /** Starts the next group at the end of this turn of the event loop, in which more items may arrive. */
  function schedule() {
    if (isScheduled || inFlight >= maxGroupsInFlight || waiting.length === 0) return
    isScheduled = true
    outsideCallers(setImmediate, () => {
      isScheduled = false
      const group = nextGroup()
      if (group.length === 0) return
      void commit(group)
      schedule()
    })
  }

  /** Returns the oldest items whose keys are not in flight. */
  function nextGroup(): Group {
    const group: Waiting<Item, Result>[] = []
    const later: Waiting<Item, Result>[] = []
    for (const each of waiting) {
      if (group.length < maxGroupSize && !busy.has(each.order)) group.push(each)
      else later.push(each)
    }
    waiting = later
    return group
  }

  async function commit(group: Group) {
    inFlight += 1
    for (const { order } of group) busy.add(order)
    try {
      const results = await write(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (canSucceedAlone(error, group.length)) await commitEach(group)
      else for (const { reject } of group) reject(error)
    } finally {
      inFlight -= 1
      for (const { order } of group) busy.delete(order)
      schedule()
    }
  }

  async function commitEach(group: Group) {
    for (const { item, resolve, reject } of group) {
      await write([item]).then(([result]) => resolve(result as Result), reject)
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw overloaded()
      waiting.push({ item, order: order(item), resolve, reject })
      schedule()
    })
}

/** Returns whether items that failed in one transaction may be written in one each. A single item is only retried after a deadlock. */
function canSucceedAlone(error: unknown, items: number): boolean {
  return items > 1 ? isItemError(error) : codeOf(error) === deadlock
}

/**
 * Returns whether an item may have caused the error: several rows for one, invalid data, a violated constraint, a rollback or an exception
 * of a trigger (SQLSTATE classes 21, 22, 23, 27, 40 and P0). An unavailable, slow or read-only database has other codes.
 */
function isItemError(error: unknown): boolean {
  return /^(21|22|23|27|40|P0)/.test(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
