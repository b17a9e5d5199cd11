-- outside a transaction
-- The public tab, newest first. Serves listPublicListings without a category, and every other public list by id.
create index concurrently if not exists listings_public_facts on listings (id desc) include (type_id, category_id, price, place) where is_public and is_active
