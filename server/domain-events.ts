import type { DomainEvents } from './platform/domain-events.ts'
import type { Tables } from './tables.ts'

interface MemberEvent {
  readonly user_id: number
}
interface Block {
  readonly blocker_id: number
  readonly blocked_id: number
}
interface Friendship {
  readonly user_id: number
  readonly friend_id: number
}
interface ListingEvent {
  readonly listing_id: number
  readonly owner_id: number
}
interface WantsEvent {
  readonly want_ids: readonly number[]
}
interface MatchesEvent {
  readonly matches: readonly { readonly want_id: number; readonly listing_id: number }[]
}
interface Change {
  /** The names of the changed fields. */
  readonly changed: readonly string[]
}

/**
 * The domain events of all features. `…_deleted` is published before the rows are deleted. `member_deleted` stands for the member's
 * listings and wants too: they have no events of their own.
 */
interface Events {
  /** `is_approved` is true if the member has waited for a moderator. */
  member_registered: MemberEvent & { readonly invitation: string | undefined; readonly is_approved: boolean }
  member_moved: MemberEvent & { readonly postal_code_id: number }
  preferences_changed: MemberEvent & Change
  member_deleted: MemberEvent
  /** After their rows are deleted. */
  messages_deleted: { readonly message_ids: readonly number[] }
  /** A text that a member has sent to too many strangers. */
  equal_texts_refused: MemberEvent & { readonly text: string }
  member_suspended: MemberEvent
  member_unsuspended: MemberEvent
  members_blocked: Block
  members_unblocked: Block
  friendship_begun: Friendship
  friendship_ended: Friendship
  listing_posted: ListingEvent
  /** `is_given`: its last handover has changed it. */
  listing_changed: ListingEvent & Change & { readonly is_given?: boolean }
  /** The prices of a sale before and after. */
  price_dropped: ListingEvent & { readonly from: number; readonly to: number }
  listing_deleted: ListingEvent
  listings_ended: { readonly listings: readonly ListingEvent[] }
  listing_hidden: ListingEvent
  listing_shown: ListingEvent
  wants_posted: WantsEvent
  wants_renamed: WantsEvent
  wants_reindexed: WantsEvent
  wants_deleted: WantsEvent
  /** Matches that are new, fit again, were restored, or are swaps no longer. */
  matches_found: MatchesEvent
  trade_changed: { readonly trade_id: number; readonly step: string; readonly state: string }
}

export type RhubarbEvents = DomainEvents<Tables, Events>
