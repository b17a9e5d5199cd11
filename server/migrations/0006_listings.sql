create table listings (
  id bigint generated always as identity primary key,
  owner_id bigint not null references users (id) on delete cascade,
  title text not null,
  description text not null,
  price numeric(7, 2) not null,
  is_active boolean not null,
  is_public boolean not null,
  type_id smallint not null check (type_id in (1, 2, 3)),
  state_id smallint not null check (state_id in (1, 2, 3)),
  category_id smallint check (category_id in (1, 2, 3)),
  -- Shown in place of a photo; derived from the title and the category.
  drawing text not null default 'rhubarb',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  hidden_at timestamptz,
  -- The term of a new or renewed listing in days.
  days smallint not null default 30 check (days between 3 and 365),
  expires_at timestamptz not null default now() + interval '30 days',
  -- Set by a job within a minute after `expires_at`, because an index condition can't use the time.
  ended_at timestamptz,
  -- When to remind the owner; null after the reminder.
  remind_at timestamptz,
  -- True if a giveaway may be part of a ring. An exchange may without it.
  open_to_rings boolean not null default false,
  -- The owner's postal code.
  postal_code_id integer not null default 0,
  -- The words and concepts of the texts. Those of the title have the prefix `=`, so that the planner's statistics are separate for
  -- titles and descriptions.
  search tsvector not null default '',
  -- The version of the rules for `search` and `drawing`, or 0 without them.
  index_version smallint not null default 0,
  check (type_id = 1 and price > 0 or type_id <> 1 and price = 0)
);
alter table listings alter column search set statistics 1000;
-- Serves listPage: words in public listings. Contains no other listings.
create index listings_search on listings using gin (search) with (fastupdate = off)
where is_public and is_active and ended_at is null;
-- Serves listPage: public listings, newest or oldest first.
create index listings_public on listings (id)
include (type_id, category_id, price, postal_code_id, owner_id, expires_at)
where is_public and is_active and hidden_at is null and ended_at is null;
-- Serves listPage: public listings of a category, newest or oldest first.
create index listings_public_category on listings (category_id, id)
include (type_id, price, postal_code_id, owner_id, expires_at)
where is_public and is_active and hidden_at is null and ended_at is null;
-- Serve listPage: public sales by price, the newest first at one price.
create index listings_public_highest on listings (price, id)
include (category_id, postal_code_id, owner_id, expires_at)
where is_public and is_active and hidden_at is null and ended_at is null and price > 0;
create index listings_public_lowest on listings ((-price), id)
include (price, category_id, postal_code_id, owner_id, expires_at)
where is_public and is_active and hidden_at is null and ended_at is null and price > 0;
-- Serves listPage: public listings near a member, and nearest first.
create index listings_public_postal_code on listings (postal_code_id, id)
include (type_id, category_id, price, owner_id, expires_at)
where is_public and is_active and hidden_at is null and ended_at is null;
-- Serves listPage: own, a member's and friends' listings. Also listOffersOf, countInterestedOf, and the foreign
-- key when a member is deleted.
create index listings_owner on listings (owner_id, id)
include (is_active, is_public, hidden_at, ended_at, expires_at, type_id, category_id, price, postal_code_id);
-- Serves listPage: non-public listings that a member may see. Also listTermsOfFriends and listListingCandidates.
create index listings_owner_not_public on listings (owner_id, id)
include (is_active, is_public, hidden_at, expires_at)
where ended_at is null and not (is_public and is_active and hidden_at is null);
-- Serves updateEnded.
create index listings_expires on listings (expires_at) where ended_at is null;
-- Serves takeDueReminders.
create index listings_remind on listings (remind_at) where remind_at is not null;
-- Serves reindexListings.
create index listings_index_version on listings (index_version);
alter table images add foreign key (listing_id) references listings (id) on delete set null;

-- The terms of public listings, for spelling correction and completion.
create table search_terms (
  -- Serves listKnownTerms and listWordsStarting.
  term text collate "C" primary key,
  -- The term and its variants without one letter; empty for a concept.
  deletions text[] not null,
  -- The number of public listings with the term, updated by an hourly job.
  listing_count integer not null default 1
);
-- Serve listSimilarWords: words with one different letter or similar trigrams.
create index search_terms_deletions on search_terms using gin (deletions);
create index search_terms_letters on search_terms using gin (term gin_trgm_ops);
