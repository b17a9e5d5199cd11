-- How many of a listing a leg moves, with a copy of the unit. Null if the listing is given as a whole.
alter table trade_legs
add column quantity smallint,
add column unit text,
add constraint trade_legs_quantity check (quantity between 1 and 9999) not valid;
-- A listing that is given as a whole is promised once. `trade_legs_open` serves listListings and listShownLegs.
create unique index if not exists trade_legs_promised_whole on trade_legs (listing_id) where status = 'promised' and quantity is null;
drop index trade_legs_promised;
