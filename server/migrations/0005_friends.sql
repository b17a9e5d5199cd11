-- Nobody asks at this moment: the old requests get their ids in the order of their pairs.
alter table friendships
  -- The request's own number; a new one each time somebody asks.
  add column id bigint generated always as identity,
  -- The one of the pair who did not ask.
  add column asked_id bigint not null generated always as (low_id + high_id - requester_id) stored,
  add column answered_at timestamptz,
  -- How often the asked one has declined the requester, one time after the other.
  add column declines smallint not null default 0,
  -- The requester is one of the pair, whose keys say it; this one would go through the whole table when a member goes.
  drop constraint friendships_requester_id_fkey;
-- Serves findRequest.
create unique index friendships_id on friendships (id);
-- Serves listRequests: who waits for a member's answer, newest first.
create index friendships_waiting on friendships (asked_id, id desc) where status = 'pending';

-- What a member is told in the app, and of whom. One of a kind about the same member: a newer one takes its place.
create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  from_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in ('friend_request', 'friend_accepted')),
  created_at timestamptz not null default now(),
  read_at timestamptz
);
-- Serves deleteNotifications (also all between two members), and the foreign key when the member it is about goes.
create unique index notifications_about on notifications (from_id, user_id, kind);
-- Serves listNotifications.
create index notifications_newest on notifications (user_id, id desc);
-- Serves countUnread and updateRead.
create index notifications_unread on notifications (user_id, id) where read_at is null;
-- Serves deleteOldNotifications.
create index notifications_age on notifications (created_at);

-- Invitations by mail. The address itself stands here only until the mail is out.
create table invitations (
  id bigint generated always as identity primary key,
  user_id bigint references users (id) on delete set null,
  email text,
  email_hash bytea not null,
  token_hash bytea,
  created_at timestamptz not null default now(),
  accepted_at timestamptz
);
-- Serves findInvitation by its token.
create unique index invitations_token on invitations (token_hash) where token_hash is not null;
-- Serves countInvitationsTo: how often an address was written to lately.
create index invitations_address on invitations (email_hash, created_at);
-- Serves the foreign key when a member goes, and the clearing after them.
create index invitations_user on invitations (user_id);
-- Serves deleteOldInvitations.
create index invitations_age on invitations (created_at);

-- Addresses that asked never to be invited again, as their hashes.
create table uninvited (
  email_hash bytea primary key,
  created_at timestamptz not null default now()
);
