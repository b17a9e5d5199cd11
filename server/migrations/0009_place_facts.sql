-- outside a transaction
-- What is at a place, by id: both go one way, so that a part of a place can be asked for. Serves `near` and the sort `nearest`.
create index concurrently if not exists listings_place_facts on listings (place, id) include (is_public, is_active, type_id, category_id, price, word_bits)
