import type { Deps, Subscriber } from './deps.ts'
import type { AnyKind, Delivery } from './features/notifications/kinds.ts'
import type { Hub } from './features/notifications/sending.ts'
import type { App } from './platform/http/route.ts'

/** Describes what a feature registers and declares. One with kinds of notifications `satisfies Feature<string>`, which keeps their names. */
export interface Feature<Kind extends string = never> {
  readonly routes?: (app: App, deps: Deps, hub: Hub) => void
  readonly jobs?: (deps: Deps, hub: Hub) => void
  readonly subscribers?: (deps: Subscriber, hub: Hub) => void
  /** Its kinds of notifications. */
  readonly notifications?: readonly AnyKind<Kind>[]
  /** Its mails and pushes without a kind of notification. */
  readonly deliveries?: readonly Delivery[]
}
