import type { CheckedSite } from './check.ts'

/** What a node knows of itself. */
export interface NodeState {
  readonly release: string
  readonly site: CheckedSite
  /** Returns whether Redis is connected, null without one. */
  readonly redis: () => boolean | null
  readonly replica: () => { readonly lag_ms: number | null; readonly is_used: boolean } | undefined
}
