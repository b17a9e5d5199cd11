import { hub } from './declarations.ts'
import type { Deps, Publisher } from './deps.ts'
import { authSubscribers } from './features/auth/subscribers.ts'
import { friendSubscribers } from './features/friends/subscribers.ts'
import { invitationSubscribers } from './features/invitations/subscribers.ts'
import { listingSubscribers } from './features/listings/subscribers.ts'
import { matchSubscribers } from './features/matches/subscribers.ts'
import { messageSubscribers } from './features/messages/subscribers.ts'
import { notificationSubscribers } from './features/notifications/subscribers.ts'
import { recentWriteSubscribers } from './features/recent-writes/subscribers.ts'
import { ringSubscribers } from './features/rings/subscribers.ts'
import { tradeSubscribers } from './features/trades/subscribers.ts'

/** Subscribes the features to the domain events of others. */
export function registerSubscribers(deps: Publisher & Pick<Deps, 'events' | 'jobs'>): void {
  authSubscribers(deps)
  // Before trades: at a block it locks both members, so that no trade between them begins until the commit.
  friendSubscribers(deps)
  invitationSubscribers(deps)
  listingSubscribers(deps)
  matchSubscribers(deps)
  messageSubscribers(deps)
  notificationSubscribers(deps, hub)
  recentWriteSubscribers(deps)
  tradeSubscribers(deps)
  ringSubscribers(deps)
}
