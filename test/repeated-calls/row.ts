import type { Endpoint } from '#contract/endpoint.ts'
import type { Reply } from '#test/actor.ts'
import type { World } from '#test/world.ts'

/** A call that takes a value, and what is stored of it. */
interface Prepared<Value> {
  readonly call: (value: Value) => Promise<Reply<object>>
  readonly stored: () => Promise<unknown>
}

export interface Row {
  readonly endpoint: Endpoint
  readonly what: string
  /** The statuses of the repeated call and of one with another value. */
  readonly statuses: readonly [again: number, other: number]
  readonly values: readonly [first: unknown, other: unknown]
  readonly prepare: (world: World) => Promise<{
    readonly callFirst: () => Promise<Reply<object>>
    readonly callOther: () => Promise<Reply<object>>
    readonly stored: () => Promise<unknown>
  }>
}

/** Adds a row of an endpoint that stores a value. */
export function row<Value>(
  endpoint: Endpoint,
  what: string,
  statuses: Row['statuses'],
  values: readonly [first: Value, other: Value],
  prepare: (world: World) => Promise<Prepared<Value>>,
): Row {
  const [first, other] = values
  return {
    endpoint,
    what,
    statuses,
    values,
    async prepare(world) {
      const { call, stored } = await prepare(world)
      return { callFirst: () => call(first), callOther: () => call(other), stored }
    },
  }
}

/** Returns the only item; all of them if there are several. */
export const onlyOf = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : items)
