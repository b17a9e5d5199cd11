-- outside a transaction
-- One member's listings, newest first. Serves one's own, a member's and the friends' lists.
create index concurrently if not exists listings_owner_facts on listings (owner_id, id desc) include (is_active, type_id, category_id, price, word_bits)
