-- outside a transaction
-- Sales by price, the lowest first, with what a list may leave out: a row is only read when it passes. Serves the sort `lowest`.
create index concurrently if not exists listings_lowest_facts on listings ((-price), id) include (price, is_public, is_active, type_id, category_id, place, word_bits) where price > 0
