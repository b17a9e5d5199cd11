-- outside a transaction
-- The same of a category. Serves listPublicListings with a category, and every other public list by id of a category.
create index concurrently if not exists listings_public_category_facts on listings (category_id, id desc) include (type_id, price, place) where is_public and is_active
