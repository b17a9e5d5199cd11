-- What the indexes with facts stand in for, and what nothing is read along any more.
drop index listings_price;
drop index listings_lowest;
drop index listings_owner;
drop index listings_owner_price;
drop index listings_place;
drop index listings_place_sales;
drop index listings_place_unpriced;
drop index listings_public;
drop index listings_public_category;
