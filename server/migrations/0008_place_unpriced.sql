-- outside a transaction
-- What has no price at a place, newest first. Serves the end of the same lists.
create index concurrently if not exists listings_place_unpriced on listings (place, id desc) where price = 0
