-- Under each term the wants that are found by it: the words of their titles, the concepts those name, and, marked `wanted`, what
-- the want asks for. The key serves listWantsWith: what has a term, newest first, and "has it this term?".
create table want_terms (
  term text collate "C" not null,
  want_id bigint not null references wants (id) on delete cascade,
  wanted boolean not null,
  -- Of the want, so that nobody has to look there for every candidate.
  user_id bigint not null,
  category_id smallint,
  primary key (term, want_id)
);
-- Serves listWanting: the wants that ask for what a listing offers, from the index alone.
create index want_terms_wanted on want_terms (term, want_id) include (user_id, category_id) where wanted;
-- Serves the foreign key when a want goes, and deleteWantTerms.
create index want_terms_want on want_terms (want_id);

-- By which rules a want's words were filed; 0 is not yet, or not since they changed.
alter table wants add column terms_version smallint not null default 0;
create function title_changed() returns trigger language plpgsql as $$
begin
  new.terms_version := 0;
  return new;
end $$;
create trigger title_changed before update of title on wants for each row
  when (old.title <> new.title) execute function title_changed();
-- Serves listUnfiledWants.
create index wants_terms_version on wants (terms_version);

-- A listing that fits a want, once and for all: who has a row was told. `fits` is false while the texts no longer match.
create table matches (
  id bigint generated always as identity,
  want_id bigint not null references wants (id) on delete cascade,
  listing_id bigint not null references listings (id) on delete cascade,
  -- Who wants, and who has. The owner goes with the listing.
  user_id bigint not null references users (id) on delete cascade,
  owner_id bigint not null,
  kind text not null check (kind in ('same', 'synonym', 'cultivar', 'kind', 'group', 'words')),
  reason text not null,
  is_swap boolean not null default false,
  fits boolean not null default true,
  created_at timestamptz not null default now(),
  dismissed_at timestamptz,
  -- Still to be told by mail, and by push.
  mail_pending boolean not null default false,
  push_pending boolean not null default false,
  -- Serves insertMatches and updateDismissed.
  primary key (want_id, listing_id)
);
-- Serves listMatchRows of all wants, and of one: swaps first, then the newest. The latter also countMatches.
create index matches_shown on matches (user_id, is_swap, id) where fits and dismissed_at is null;
create index matches_shown_want on matches (want_id, is_swap, id) where fits and dismissed_at is null;
-- Serves listWantedByRows, the wants that a listing was found to fit, and the foreign key when a listing goes.
create index matches_listing on matches (listing_id, want_id);
-- Serves updateSwaps, and the foreign key when a member goes.
create index matches_pair on matches (user_id, owner_id);
-- Serve takePending.
create index matches_mail_pending on matches (user_id, id) where mail_pending;
create index matches_push_pending on matches (user_id, id) where push_pending;

-- When a member is next to be told by mail or by push of what was gathered for them, and when they last were.
create table match_tellings (
  user_id bigint not null references users (id) on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  due_at timestamptz,
  told_at timestamptz,
  primary key (user_id, channel)
);
-- Serves takeDue.
create index match_tellings_due on match_tellings (due_at) where due_at is not null;

alter table users
  add column time_zone text;

-- Where a browser wants to be told.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);
-- A browser belongs to the member who used it last. Serves upsertSubscription.
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
-- Serves listSubscriptions, and the foreign key when a member goes.
create index push_subscriptions_user on push_subscriptions (user_id, id);

-- What is told of a match names it, and how many more came with it. One of a kind about the same listing.
alter table notifications
  add column want_id bigint,
  add column listing_id bigint,
  add column more integer not null default 0,
  add foreign key (want_id, listing_id) references matches (want_id, listing_id) on delete cascade,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('friend_request', 'friend_accepted', 'match', 'swap')),
  add check ((kind in ('match', 'swap')) = (want_id is not null and listing_id is not null));
drop index notifications_about;
-- Serves deleteNotifications (also all between two members), and the foreign key when the member it is about goes.
create unique index notifications_about on notifications (from_id, user_id, kind, coalesce(listing_id, 0));
-- Serves the foreign key when a match goes.
create index notifications_match on notifications (want_id, listing_id) where want_id is not null;
