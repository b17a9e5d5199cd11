-- True for a first listing that waits for the desk: it is hidden, but no moderator has hidden it. False also for one that the previous
-- release has shown, which is not hidden.
alter table listings add column is_held boolean not null default false;
-- Serves the waiting ones of listDeskListings.
create index listings_held on listings (id) where is_held;

-- The members whose listings are not held any more, because a moderator has shown one.
create table unheld_members (
  user_id bigint primary key references users (id) on delete cascade,
  -- The listing that was shown. It may be deleted since.
  listing_id bigint not null
);
