-- How many of a unit a listing offers, and how many of them are neither promised nor handed over. Null for a listing that is given as a
-- whole.
alter table listings
add column quantity smallint,
add column quantity_left smallint,
add column unit text,
add constraint listings_quantity check (quantity between 1 and 9999) not valid,
add constraint listings_quantity_left check (
  (quantity is null) = (quantity_left is null) and quantity_left between 0 and quantity
) not valid,
add constraint listings_unit check (unit is null or quantity is not null) not valid;
