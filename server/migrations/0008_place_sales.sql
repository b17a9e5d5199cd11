-- outside a transaction
-- What is for sale at a place, by price. Serves `near` in the sorts `highest` and `lowest`, and holds nothing else, so that no
-- other list is read along it.
create index concurrently if not exists listings_place_sales on listings (place, price, id) where price > 0
