alter table listings add column client_id uuid;
-- Makes posting idempotent. Serves insertListing and findPosted.
create unique index listings_client on listings (owner_id, client_id) where client_id is not null;
