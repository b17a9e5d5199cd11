-- outside a transaction
-- What a member sells, by price. Serves the sort `lowest` of one's own, a member's and the friends' lists.
create index concurrently if not exists listings_owner_lowest_facts on listings (owner_id, (-price), id) include (price, is_active, type_id, category_id, word_bits) where price > 0
