-- The crops that a want asks for: keys of `features/matching/crop-keys.ts`. The job that indexes wants fills both columns.
alter table wants
add column crops text[] collate "C" not null default '{}',
-- The member's location.
add column postal_code_id integer not null default 0;
-- Serves listNearbyWants with an index-only scan.
create index wants_postal_code on wants (postal_code_id) include (user_id, category_id, crops, id);

-- The crops that a listing offers, under the same keys. The job that indexes listings fills it.
alter table listings add column crops text[] collate "C" not null default '{}';
-- Serves listNearbyWants with an index-only scan.
create index listings_public_crops on listings (postal_code_id)
include (owner_id, category_id, state_id, expires_at, crops)
where is_public and is_active and hidden_at is null and ended_at is null;
