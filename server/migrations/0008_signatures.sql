drop index listings_place_price;

-- Two bits for each term that a listing is filed under, so that most listings without a word are known by their row alone.
-- All bits say that nothing is known, as when the words have just changed: then `listing_terms` is asked.
alter table listings add column signature bit(256) not null default repeat('1', 256)::bit(256);

create or replace function words_changed() returns trigger language plpgsql as $$
begin
  new.terms_version := 0;
  new.signature := repeat('1', 256)::bit(256);
  return new;
end $$;
