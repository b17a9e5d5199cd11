-- outside a transaction
-- What is for sale at a place, by price. Serves `near` in the sort `lowest`.
create index concurrently if not exists listings_place_lowest_facts on listings (place, (-price), id) include (price, is_public, is_active, type_id, category_id, word_bits) where price > 0
