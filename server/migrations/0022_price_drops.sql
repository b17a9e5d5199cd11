-- Serves listAskers: who has asked about a listing. On a large site, create it concurrently before the release.
create index if not exists messages_listing on messages (listing_id, receiver_id) where listing_id is not null;
