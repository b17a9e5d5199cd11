import type { Deps, Subscriber } from './deps.ts'
import type { AnyKind, Delivery } from './features/notifications/kinds.ts'
import type { Hub } from './features/notifications/sending.ts'
import type { App } from './platform/http/route.ts'

/** What a feature registers and declares. */
export interface Feature {
  readonly routes?: (app: App, deps: Deps, hub: Hub) => void
  readonly jobs?: (deps: Deps, hub: Hub) => void
  readonly subscribers?: (deps: Subscriber, hub: Hub) => void
  /** Its kinds of notifications. */
  readonly notifications?: readonly AnyKind[]
  /** Its mails and pushes without a kind of notification. */
  readonly deliveries?: readonly Delivery[]
}
