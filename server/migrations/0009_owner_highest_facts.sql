-- outside a transaction
-- What a member sells, by price. Serves the sort `highest` of one's own, a member's and the friends' lists.
create index concurrently if not exists listings_owner_highest_facts on listings (owner_id, price, id) include (is_active, type_id, category_id, word_bits) where price > 0
