import pg from 'pg'

export interface GroupCommit<Item, Result> {
  /** Writes all or none, in one transaction; a result for each, in their order. */
  write(items: readonly Item[]): Promise<readonly Result[]>
  /** Returns a key; items with the same key are written in the order they came. */
  order(item: Item): string
}

/** While one waits for the disk, another is made ready; more would only make smaller groups. */
const maxGroupsInFlight = 2
const maxGroupSize = 200
const deadlock = '40P01'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly order: string
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes what arrives within the same moment together, so that many wait for one commit. An item on its own is written
 * at once. Resolves after the commit. When a group fails for something in it, each is written alone, and fails alone.
 */
export function groupCommit<Item, Result>({ write, order }: GroupCommit<Item, Result>) {
  type Group = readonly Waiting<Item, Result>[]
  let waiting: Waiting<Item, Result>[] = []
  const busy = new Set<string>()
  let inFlight = 0
  let planned = false

  /** After this turn of the event loop, which may bring more. */
  function plan() {
    if (planned || inFlight >= maxGroupsInFlight || waiting.length === 0) return
    planned = true
    setImmediate(() => {
      planned = false
      const group = nextGroup()
      if (group.length === 0) return
      void commit(group)
      plan()
    })
  }

  /** Those that came first, but for what must wait for something in flight. */
  function nextGroup(): Group {
    const group: Waiting<Item, Result>[] = []
    const later: Waiting<Item, Result>[] = []
    for (const one of waiting) {
      if (group.length < maxGroupSize && !busy.has(one.order)) group.push(one)
      else later.push(one)
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
      if (group.length > 1 && isOfAnItem(error)) await commitEach(group)
      else if (group.length === 1 && codeOf(error) === deadlock) await commitEach(group)
      else for (const { reject } of group) reject(error)
    } finally {
      inFlight -= 1
      for (const { order } of group) busy.delete(order)
      plan()
    }
  }

  async function commitEach(group: Group) {
    for (const { item, resolve, reject } of group) {
      await write([item]).then(([result]) => resolve(result as Result), reject)
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, order: order(item), resolve, reject })
      plan()
    })
}

/** Whether it may have been one of the items, not the database being away or too slow. */
function isOfAnItem(error: unknown): boolean {
  return /^(2|40|P0)/.test(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
