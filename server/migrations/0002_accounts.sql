create extension if not exists pg_trgm;

alter table users
  add column email_confirmed_at timestamptz,
  add column suspended_at timestamptz,
  add column mail_matches text not null default 'at_once' check (mail_matches in ('at_once', 'daily', 'never')),
  add column mail_unread boolean not null default true,
  add column match_radius integer check (match_radius between 1 and 500);
-- Serves listMembersNamed: usernames that hold some letters.
create index users_username_letters on users using gin (lower(username) gin_trgm_ops);
-- Serve listMembersNear.
create index users_zip_code on users (zip_code, id) where zip_code is not null;
create index users_city on users (lower(state), lower(city), id) where city is not null;

alter table listings add column hidden_at timestamptz;

create table password_resets (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves deleteResets: a member's tokens die together.
create index password_resets_user on password_resets (user_id);

create table email_confirmations (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves the deletion of a member's older tokens.
create index email_confirmations_user on email_confirmations (user_id);

-- Mails that wait until the member has confirmed their address.
create table waiting_mails (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
-- Serves takeWaitingMails.
create index waiting_mails_user on waiting_mails (user_id, id);

create table blocks (
  blocker_id bigint not null references users (id) on delete cascade,
  blocked_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- Serves "has blocked me", and the foreign key when a member goes.
create index blocks_blocked on blocks (blocked_id, blocker_id);

create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint references users (id) on delete set null,
  listing_id bigint references listings (id) on delete set null,
  user_id bigint references users (id) on delete set null,
  reason text not null,
  created_at timestamptz not null default now()
);
-- Serve the foreign keys when a member or a listing goes.
create index reports_reporter on reports (reporter_id);
create index reports_listing on reports (listing_id);
create index reports_user on reports (user_id);
