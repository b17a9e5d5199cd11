-- outside a transaction
-- Sales by price, the highest first, with what a list may leave out: a row is only read when it passes. Serves the sort `highest`.
create index concurrently if not exists listings_highest_facts on listings (price, id) include (is_public, is_active, type_id, category_id, place, word_bits) where price > 0
