-- Lists of the market show only the newest of an owner's equal listings: those with the same title (whatever its case), type, category,
-- state and audience. `folded_under` is the newest one, `folded_count` the number of listings that are folded under this one.
alter table listings
add column folded_under bigint,
add column folded_count integer not null default 0;
-- Serves refold.
create index listings_folded on listings (folded_under) where folded_under is not null;
-- Serves refold, findEqualListing, and lockListing of matches.
create index listings_owner_title on listings (owner_id, lower(title)) where ended_at is null;
update listings l set folded_under = nullif(n.newest_id, l.id), folded_count = case when n.newest_id = l.id then n.others else 0 end
from (
  select id, max(id) over class as newest_id, count(*) over class - 1 as others from listings
  where is_active and hidden_at is null and ended_at is null and expires_at > now()
  window class as (partition by owner_id, lower(title), type_id, category_id, state_id, is_public)
) n
where n.id = l.id and n.others > 0;
