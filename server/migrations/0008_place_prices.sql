-- What is for sale at a place, by price. Serves `near` in the sorts `highest` and `lowest`, and holds nothing else, so that no
-- other list is read along it.
drop index listings_place_price;
create index listings_place_price on listings (place, price, id) where price > 0;
-- What has no price at a place, newest first. Serves the end of the same lists.
create index listings_place_unpriced on listings (place, id desc) where price = 0;
