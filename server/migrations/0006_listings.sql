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
  image_name text references images (name),
  -- Shown in place of a photo; derived from the title and the category.
  drawing text not null default 'rhubarb',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  hidden_at timestamptz,
  -- For how long it is listed, and listed again.
  days smallint not null default 30 check (days between 3 and 365),
  expires_at timestamptz not null default now() + interval '30 days',
  -- Set by a job within a minute after `expires_at`, since the condition of an index can't name the time.
  ended_at timestamptz,
  -- When the owner is asked whether it is still there; null once they were.
  remind_at timestamptz,
  -- The owner's.
  postal_code_id integer not null default 0,
  -- The words and the concepts of the texts. Those of the title begin with `=`, those of the description alone don't. So the
  -- statistics know how common a word is in titles, and how common elsewhere.
  search tsvector not null default '',
  -- The version of the rules by which `search` and `drawing` were made, 0 if they were not.
  index_version smallint not null default 0,
  check (type_id = 1 and price > 0 or type_id <> 1 and price = 0)
);
alter table listings alter column search set statistics 1000;
-- Serves listPage: words in public listings. It holds no word of a listing that only friends or nobody may see.
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
-- Serves listPage: one's own, a member's and friends' listings. Also listOffersOf, listImageNames, countInterestedOf, and the foreign
-- key when a member is deleted.
create index listings_owner on listings (owner_id, id)
include (is_active, is_public, hidden_at, ended_at, expires_at, type_id, category_id, price, postal_code_id);
-- Serves listPage: the listings that a member sees beside the public ones. Also listTermsOfFriends and listOffering.
create index listings_owner_not_public on listings (owner_id, id)
include (is_active, is_public, hidden_at, expires_at)
where ended_at is null and not (is_public and is_active and hidden_at is null);
-- Serves updateEnded.
create index listings_expires on listings (expires_at) where ended_at is null;
-- Serves takeDueReminders.
create index listings_remind on listings (remind_at) where remind_at is not null;
-- Serves reindexListings.
create index listings_index_version on listings (index_version);
-- Serves the foreign key when an image is deleted.
create index listings_image on listings (image_name) where image_name is not null;

-- The terms of public listings, for spelling correction and half words.
create table search_terms (
  -- Serves listKnownTerms and listWordsStarting.
  term text collate "C" primary key,
  -- The term, and the term without any one of its letters; empty for a concept.
  deletions text[] not null,
  -- How many public listings have it, counted by a job every hour.
  listing_count integer not null default 1
);
-- Serve listSimilarWords: one letter apart, or similar by trigrams.
create index search_terms_deletions on search_terms using gin (deletions);
create index search_terms_letters on search_terms using gin (term gin_trgm_ops);
