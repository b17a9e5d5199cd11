-- For the trigram indexes on usernames and on the words of listings.
create extension if not exists pg_trgm;

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  city text,
  state text,
  zip_code text,
  address text,
  apt text,
  -- The name of the image. No foreign key, because images refer to their owners.
  picture_name text,
  created_at timestamptz not null default now(),
  email_confirmed_at timestamptz,
  suspended_at timestamptz,
  mail_matches text not null default 'at_once' check (mail_matches in ('at_once', 'daily', 'never')),
  mail_unread boolean not null default true,
  mail_listings boolean not null default true,
  mail_trades boolean not null default true,
  match_radius integer check (match_radius between 1 and 500),
  -- The postal code as a number; 0 if it is unknown.
  postal_code_id integer not null default 0,
  time_zone text,
  -- Signed in the member's invitation link. A new version ends the previous link.
  invitation_version integer not null default 1
);
-- Unique ignoring case. Serves findLogin and findInvitedMember.
create unique index users_email on users (lower(email));
-- Unique ignoring case. Serves findUserId.
create unique index users_username on users (lower(username));
-- Serves listMembersNamed: usernames that contain some letters.
create index users_username_letters on users using gin (lower(username) gin_trgm_ops);
-- Serves listMembersNear: members of the same postal code.
create index users_zip_code on users (left(zip_code, 5), id) where zip_code is not null;
-- Serves listMembersNear: members of the same city.
create index users_city on users (lower(state), lower(city), id) where city is not null;
-- Serves unseenBy: suspended members.
create index users_suspended on users (id) where suspended_at is not null;

alter table images add foreign key (owner_id) references users (id) on delete set null;

create table blocks (
  blocker_id bigint not null references users (id) on delete cascade,
  blocked_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Serves insertBlock, deleteBlock, listBlocked and hasBlock.
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- Serves listWantCandidates and listListingCandidates, which exclude those who blocked a member, and the foreign key when a member is deleted.
create index blocks_blocked on blocks (blocked_id, blocker_id);
