-- A listing that fits a want. A row stays when the texts no longer match (`fits` is false), so that nobody is notified twice.
create table matches (
  id bigint generated always as identity,
  want_id bigint not null references wants (id) on delete cascade,
  listing_id bigint not null references listings (id) on delete cascade,
  -- The owner of the want.
  user_id bigint not null references users (id) on delete cascade,
  -- The owner of the listing. No foreign key: the row is deleted with the listing.
  owner_id bigint not null,
  kind text not null check (kind in ('same', 'synonym', 'cultivar', 'kind', 'group', 'words')),
  reason text not null,
  is_swap boolean not null default false,
  fits boolean not null default true,
  created_at timestamptz not null default now(),
  dismissed_at timestamptz,
  -- True if a mail and a push have to be sent.
  mail_pending boolean not null default false,
  push_pending boolean not null default false,
  -- Serves insertMatches, updateUnfit, updateUnfitWant, updateDismissed, updateRestored and updatePendingAgain.
  primary key (want_id, listing_id)
);
-- Serves listMatchRows and listLatest: swaps first, then the newest.
create index matches_shown on matches (user_id, is_swap, id) where fits and dismissed_at is null;
-- Serves listMatchRows of one want and countMatches.
create index matches_shown_want on matches (want_id, is_swap, id) where fits and dismissed_at is null;
-- Serves listWantedByRows, countInterestedOf, listWantCandidates and listWantCandidatesAmong, and the foreign key when a listing is deleted.
create index matches_listing on matches (listing_id, want_id);
-- Serves updateSwaps, and the foreign key when a member is deleted.
create index matches_pair on matches (user_id, owner_id);
-- Serves updateSwaps: the members with existing swaps.
create index matches_swaps on matches (owner_id, user_id) where is_swap;
-- Serve listPending, updateSent and updateReadPending.
create index matches_mail_pending on matches (user_id, id) where mail_pending;
create index matches_push_pending on matches (user_id, id) where push_pending;

-- When a member's next mail or push about matches is due, and when the last one was sent.
create table notification_schedule (
  user_id bigint not null references users (id) on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  due_at timestamptz,
  sent_at timestamptz,
  -- Serves the previous release.
  primary key (user_id, channel)
);
-- Serves takeDue.
create index notification_schedule_due on notification_schedule (due_at) where due_at is not null;
