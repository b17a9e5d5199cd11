-- From which day a listing is ready, and until then the moment when that day begins at its owner's place: null once it is ready.
alter table listings
add column ready_from date,
add column ready_at timestamptz;
-- Serves updateReady.
create index if not exists listings_ready on listings (ready_at) where ready_at is not null;
