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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  hidden_at timestamptz,
  -- The owner's postal code as a number, 0 if it is unknown; kept by triggers.
  place integer not null default 0,
  -- The version of the rules by which the words were indexed; 0 if they were not, or have changed since.
  terms_version smallint not null default 0,
  -- A Bloom filter of the terms, four bits each. All bits set means that nothing is known and listing_terms has to be read.
  word_bits bit(384) not null default repeat('1', 384)::bit(384),
  check (type_id = 1 and price > 0 or type_id <> 1 and price = 0)
);
-- Serves listPublicListings, and listNewestPrices and readWalk for public lists by id.
create index listings_public_facts on listings (id desc) include (type_id, category_id, price, place)
where is_public and is_active;
-- Serves listPublicListings with a category, and readWalk for public lists by id of one category.
create index listings_public_category_facts on listings (category_id, id desc) include (type_id, price, place)
where is_public and is_active;
-- Serve readWalk for all sales by price, highest and lowest first.
create index listings_highest_facts on listings (price, id)
include (is_public, is_active, type_id, category_id, place, word_bits)
where price > 0;
create index listings_lowest_facts on listings ((-price), id)
include (price, is_public, is_active, type_id, category_id, place, word_bits)
where price > 0;
-- Serves readWalk for one member's listings, newest first, listOffersOf, listImageNames, countWantersOf, and the foreign key when a
-- member is deleted.
create index listings_owner_facts on listings (owner_id, id desc)
include (is_active, type_id, category_id, price, word_bits);
-- Serve readWalk for one member's sales by price, highest and lowest first.
create index listings_owner_highest_facts on listings (owner_id, price, id)
include (is_active, type_id, category_id, word_bits)
where price > 0;
create index listings_owner_lowest_facts on listings (owner_id, (-price), id)
include (price, is_active, type_id, category_id, word_bits)
where price > 0;
-- Serves readWalk for listings near a member, by id, and listInhabitedPlaces.
create index listings_place_facts on listings (place, id)
include (is_public, is_active, type_id, category_id, price, word_bits);
-- Serve readWalk for sales near a member by price, highest and lowest first.
create index listings_place_highest_facts on listings (place, price, id)
include (is_public, is_active, type_id, category_id, word_bits)
where price > 0;
create index listings_place_lowest_facts on listings (place, (-price), id)
include (price, is_public, is_active, type_id, category_id, word_bits)
where price > 0;
-- Serves listUnfiledListings and hasUnfiledListing.
create index listings_terms_version on listings (terms_version);
-- Serves the foreign key when an image is deleted.
create index listings_image on listings (image_name) where image_name is not null;

create function place_of_owner() returns trigger language plpgsql as $$
begin
  -- The lock keeps the owner's postal code from changing until the new listing can be seen by listings_move_along.
  select coalesce(place, 0) into new.place from users where id = new.owner_id for share;
  new.place := coalesce(new.place, 0);
  return new;
end $$;
create trigger place_of_owner before insert on listings for each row execute function place_of_owner();

create function listings_move_along() returns trigger language plpgsql as $$
begin
  update listings set place = coalesce(new.place, 0) where owner_id = new.id;
  return null;
end $$;
create trigger listings_move_along after update of place on users for each row
  when (coalesce(old.place, 0) <> coalesce(new.place, 0)) execute function listings_move_along();

create function words_changed() returns trigger language plpgsql as $$
begin
  new.terms_version := 0;
  new.word_bits := repeat('1', 384)::bit(384);
  return new;
end $$;
create trigger words_changed before update of title, description on listings for each row
  when (old.title <> new.title or old.description <> new.description) execute function words_changed();

-- The inverted index of the listings.
create table listing_terms (
  term text collate "C" not null,
  listing_id bigint not null references listings (id) on delete cascade,
  in_title boolean not null,
  -- Serves readWalk for listings with a term, newest first, listUsage, listVisibleTerms and listOffering.
  primary key (term, listing_id) include (in_title)
);
-- Serves readWalk for listings with a term in the title, newest first, and listUsage.
create index listing_terms_title on listing_terms (term, listing_id) where in_title;
-- Serves deleteTerms, and the foreign key when a listing is deleted.
create index listing_terms_listing on listing_terms (listing_id);

-- Every term of a listing, and the term without any one of its letters, for spelling correction.
create table vocabulary (
  -- Serves listTermsStarting and deleteUnusedTerms.
  term text collate "C" primary key,
  variants text[] not null
);
-- Serve listSimilarTerms: one letter apart, or similar by trigrams.
create index vocabulary_variants on vocabulary using gin (variants);
create index vocabulary_letters on vocabulary using gin (term gin_trgm_ops);
