-- Serves the hidden ones of listDeskListings.
create index listings_hidden on listings (id) where hidden_at is not null;
-- The category before a correction, for its undoing. Null is uncategorized.
alter table audit_log add column category_was smallint;
