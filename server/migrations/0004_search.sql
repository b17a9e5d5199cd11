-- Where a member is: their postcode as a number, 0 for one that the table of postcodes does not know; null while there is none
-- or nobody has looked it up.
alter table users add column place integer;
-- Serves listUnplacedMembers.
create index users_unplaced on users (id) where place is null and zip_code is not null;

-- A listing is where its owner is, 0 where that is unknown, kept so by two triggers. `terms_version` says by which rules its
-- words were filed; 0 is not yet, or not since they changed.
alter table listings
  add column place integer not null default 0,
  add column terms_version smallint not null default 0;

create function place_of_owner() returns trigger language plpgsql as $$
begin
  -- The lock keeps the owner from moving until the listing is there to move along.
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
  return new;
end $$;
create trigger words_changed before update of title, description on listings for each row
  when (old.title <> new.title or old.description <> new.description) execute function words_changed();

-- By price: all from the highest price, and what has a price from the lowest. Serve the sorts `highest` and `lowest`.
create index listings_price on listings (price, id);
create index listings_lowest on listings ((-price), id) where price > 0;
-- One member's by price. Serves the same sorts of one's own, a member's and the friends' listings.
create index listings_owner_price on listings (owner_id, price, id);
-- What is at a place, newest first and by price. Serve `near` and the sort `nearest`.
create index listings_place on listings (place, id desc);
create index listings_place_price on listings (place, price, id);
-- Serves listUnfiledListings.
create index listings_terms_version on listings (terms_version);

-- Under each term the listings that have it. The key serves what has a term, newest first, and "has it this term?".
create table listing_terms (
  term text collate "C" not null,
  listing_id bigint not null references listings (id) on delete cascade,
  in_title boolean not null,
  primary key (term, listing_id) include (in_title)
);
-- What has a term in its title, newest first.
create index listing_terms_title on listing_terms (term, listing_id) where in_title;
-- Serves the foreign key when a listing goes, and deleteTerms.
create index listing_terms_listing on listing_terms (listing_id);

-- Every term that some listing has or had, and the term without any one of its letters. A word that nobody uses is taken
-- for one of these.
create table vocabulary (
  term text collate "C" primary key,
  variants text[] not null
);
-- Serve listSimilarTerms: one slip apart, or alike.
create index vocabulary_variants on vocabulary using gin (variants);
create index vocabulary_letters on vocabulary using gin (term gin_trgm_ops);
