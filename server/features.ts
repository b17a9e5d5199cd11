import type { Feature } from './feature.ts'
import { authFeature } from './features/auth/feature.ts'
import { bansFeature } from './features/bans/feature.ts'
import { deskFeature } from './features/desk/feature.ts'
import { exportFeature } from './features/export/feature.ts'
import { figuresFeature } from './features/figures/feature.ts'
import { friendsFeature } from './features/friends/feature.ts'
import { imageAccessFeature } from './features/image-access/feature.ts'
import { imagesFeature } from './features/images/feature.ts'
import { invitationsFeature } from './features/invitations/feature.ts'
import { listingRemindersFeature } from './features/listing-reminders/feature.ts'
import { listingsFeature } from './features/listings/feature.ts'
import { mailQueueFeature } from './features/mail-queue/feature.ts'
import { matchesFeature } from './features/matches/feature.ts'
import { membersFeature } from './features/members/feature.ts'
import { messagesFeature } from './features/messages/feature.ts'
import { nearbyWantsFeature } from './features/nearby-wants/feature.ts'
import { notificationsFeature } from './features/notifications/feature.ts'
import { type AnyKind, declarationsOf } from './features/notifications/kinds.ts'
import { createHub } from './features/notifications/notifications.ts'
import { pushFeature } from './features/push/feature.ts'
import { recentWritesFeature } from './features/recent-writes/feature.ts'
import { registrationsFeature } from './features/registrations/feature.ts'
import { reportsFeature } from './features/reports/feature.ts'
import { ringsFeature } from './features/rings/feature.ts'
import { siteChecksFeature } from './features/site-checks/feature.ts'
import { sitePagesFeature } from './features/site-pages/feature.ts'
import { siteSettingsFeature } from './features/site-settings/feature.ts'
import { tradesFeature } from './features/trades/feature.ts'
import { wantListsFeature } from './features/want-lists/feature.ts'
import { wantsFeature } from './features/wants/feature.ts'

/**
 * All features. Their subscribers run in this order: at a block, friends lock both members before trades, so that no trade between them
 * begins until the commit.
 */
const all = [
  authFeature,
  membersFeature,
  exportFeature,
  friendsFeature,
  invitationsFeature,
  listingsFeature,
  listingRemindersFeature,
  wantsFeature,
  matchesFeature,
  wantListsFeature,
  nearbyWantsFeature,
  messagesFeature,
  notificationsFeature,
  pushFeature,
  imagesFeature,
  imageAccessFeature,
  recentWritesFeature,
  tradesFeature,
  ringsFeature,
  bansFeature,
  deskFeature,
  reportsFeature,
  figuresFeature,
  mailQueueFeature,
  siteChecksFeature,
  siteSettingsFeature,
  sitePagesFeature,
  registrationsFeature,
] as const
export const features: readonly Feature<string>[] = all

type NameOf<Declared> = Declared extends { readonly notifications: readonly AnyKind<infer Name>[] }
  ? Name
  : never
/** The names of all kinds of notifications. */
export type DeclaredKind = NameOf<(typeof all)[number]>

/** The hub with the kinds of notifications of all features. */
export const hub = createHub(
  declarationsOf(
    features.flatMap(({ notifications = [] }) => notifications),
    features.flatMap(({ deliveries = [] }) => deliveries),
  ),
)
