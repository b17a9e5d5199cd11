-- One row per pair, the lower id first.
create table friendships (
  low_id bigint not null references users (id) on delete cascade,
  high_id bigint not null references users (id) on delete cascade,
  -- No foreign key: the requester is one of the pair, whose keys are enough.
  requester_id bigint not null,
  status text not null check (status in ('pending', 'accepted', 'rejected')),
  created_at timestamptz not null default now(),
  -- The id of the current request: each new request between the two gets a new one.
  id bigint generated always as identity,
  -- The receiver of the request.
  receiver_id bigint not null generated always as (low_id + high_id - requester_id) stored,
  answered_at timestamptz,
  -- The number of times in a row that the receiver has declined the requester.
  declines smallint not null default 0,
  -- Serves findFriendship, deleteFriendship and every check whether two members are friends.
  primary key (low_id, high_id),
  check (low_id < high_id),
  check (requester_id in (low_id, high_id))
);
-- Serve countFriends, listFriendRows and the friends scope of listings from indexes alone: one for each side of the pair.
create index friendships_accepted_low on friendships (low_id, high_id) where status = 'accepted';
create index friendships_accepted_high on friendships (high_id, low_id) where status = 'accepted';
-- Serves findRequester and updateFriendship.
create unique index friendships_id on friendships (id);
-- Serves listRequestRows: open requests to a member, newest first.
create index friendships_waiting on friendships (receiver_id, id desc) where status = 'pending';
-- Serves the foreign key when a member is deleted.
create index friendships_high on friendships (high_id);
