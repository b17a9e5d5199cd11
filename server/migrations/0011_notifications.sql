-- In-app notifications. A new one replaces an older one about the same member, kind and listing.
create table notifications (
  id bigint generated always as identity,
  user_id bigint not null references users (id) on delete cascade,
  -- The member that the notification is about.
  from_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in (
    'friend_request', 'friend_accepted', 'match', 'swap', 'listing_ending', 'ring', 'trade_requested', 'trade_accepted', 'trade_in_line',
    'trade_declined', 'trade_withdrawn', 'trade_lapsed', 'trade_next', 'trade_reminder', 'trade_handed_over', 'trade_done',
    'trade_thanked', 'pickup_proposed', 'pickup_accepted', 'pickup_reminder'
  )),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  want_id bigint,
  listing_id bigint,
  -- The number of other matches found at the same time.
  more integer not null default 0,
  trade_id bigint,
  -- Begins with the member, like all statements. Serves the pages of notifications, updateReadFrom,
  -- deleteReplaced, and the foreign key when a member is deleted.
  primary key (user_id, id),
  foreign key (want_id, listing_id) references matches (want_id, listing_id) on delete cascade,
  check ((kind in ('match', 'swap')) = (want_id is not null and listing_id is not null)),
  check (kind <> 'listing_ending' or listing_id is not null),
  check ((kind like 'trade\_%' or kind like 'pickup\_%') = (trade_id is not null))
);
-- Serves deleteFrom, the trigger of the previous release, and the foreign key when the member whom it is about is deleted.
create unique index notifications_about on notifications (from_id, user_id, kind, coalesce(listing_id, trade_id, 0));
-- Serves the foreign key when a trade is deleted.
create index notifications_trade on notifications (trade_id) where trade_id is not null;
-- Serves countUnread and updateRead.
create index notifications_unread on notifications (user_id, id) where read_at is null;
-- Served the foreign key when a match is deleted.
create index notifications_match on notifications (want_id, listing_id) where want_id is not null;
-- Serves deleteOldNotifications. BRIN: rows are stored in the order of their time.
create index notifications_created on notifications using brin (created_at);
