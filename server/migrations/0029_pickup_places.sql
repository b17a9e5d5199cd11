-- Where the giver of a leg hands it over. Only its taker sees it, and a job deletes it.
alter table trade_legs add column pickup_place text;
-- Serves deleteOldPlaces and deletePlacesOf.
create index if not exists trade_legs_pickup_place on trade_legs (giver_id) where pickup_place is not null;
