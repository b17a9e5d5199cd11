import type { Transaction } from 'kysely'

/** Runs in the transaction that causes the event, which waits for a promise. An error rolls the transaction back. */
type Handler<Tables, Payload> = (tx: Transaction<Tables>, payload: Payload) => unknown

/** Domain events, in-process and transactional. `Events` maps their names to their payloads. */
export interface DomainEvents<Tables, Events> {
  /** Calls the event's subscribers one after the other, in the order of their subscriptions. */
  publish<Name extends keyof Events>(
    tx: Transaction<Tables>,
    event: Name,
    payload: Events[Name],
  ): Promise<void>
  /** Call it before the node starts. */
  subscribe<Name extends keyof Events>(event: Name, handler: Handler<Tables, Events[Name]>): void
}

export function createDomainEvents<Tables, Events>(): DomainEvents<Tables, Events> {
  const handlers: { [Name in keyof Events]?: readonly Handler<Tables, Events[Name]>[] } = {}
  return {
    async publish(tx, event, payload) {
      for (const handle of handlers[event] ?? []) await handle(tx, payload)
    },
    subscribe(event, handler) {
      handlers[event] = [...(handlers[event] ?? []), handler]
    },
  }
}
