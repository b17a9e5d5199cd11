-- outside a transaction
-- What is for sale at a place, by price. Serves `near` in the sort `highest`.
create index concurrently if not exists listings_place_highest_facts on listings (place, price, id) include (is_public, is_active, type_id, category_id, word_bits) where price > 0
