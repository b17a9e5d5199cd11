create table images (
  name text primary key,
  width integer not null,
  height integer not null,
  placeholder text not null,
  widths integer[] not null,
  created_at timestamptz not null default now()
);

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
  picture_name text references images (name),
  created_at timestamptz not null default now()
);
-- Unique regardless of case. Serve findMemberByEmail and the check at registration.
create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));
-- Serves the foreign key when an image goes.
create index users_picture on users (picture_name) where picture_name is not null;

create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves the revocation of all of a member's sessions.
create index sessions_user on sessions (user_id);
-- Serves deleteExpiredSessions.
create index sessions_expiry on sessions (expires_at);

-- One row a pair, the lower id first.
create table friendships (
  low_id bigint not null references users (id) on delete cascade,
  high_id bigint not null references users (id) on delete cascade,
  requester_id bigint not null references users (id) on delete cascade,
  status text not null check (status in ('pending', 'accepted', 'rejected')),
  created_at timestamptz not null default now(),
  primary key (low_id, high_id),
  check (low_id < high_id),
  check (requester_id in (low_id, high_id))
);
-- Serve "is a friend of" and friend counts from either side without visiting the table.
create index friendships_accepted_low on friendships (low_id, high_id) where status = 'accepted';
create index friendships_accepted_high on friendships (high_id, low_id) where status = 'accepted';
-- Serves the foreign key when a member goes.
create index friendships_high on friendships (high_id);

create table listings (
  id bigint generated always as identity primary key,
  owner_id bigint not null references users (id) on delete cascade,
  title text not null,
  description text not null,
  price numeric(7, 2) not null,
  is_active boolean not null,
  is_public boolean not null,
  type_id smallint not null check (type_id in (1, 2, 3)),
  state_id smallint not null check (state_id in (1, 2, 3)),
  category_id smallint check (category_id in (1, 2, 3)),
  image_name text references images (name),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (type_id = 1 and price > 0 or type_id <> 1 and price = 0)
);
-- The public tab, newest first. Serves listPublicListings without a category.
create index listings_public on listings (id desc) where is_public and is_active;
-- The public tab by category. Serves listPublicListings with a category.
create index listings_public_category on listings (category_id, id desc) where is_public and is_active;
-- One member's listings, newest first. Serves listOwnListings, listListingsOf and listFriendsListings.
create index listings_owner on listings (owner_id, id desc);
-- Serves the foreign key when an image goes.
create index listings_image on listings (image_name) where image_name is not null;

-- Attempts per key and window, shared by all nodes. Not logged: losing it in a crash only forgives.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
-- Serves the clearing of what has expired.
create index rate_limits_expiry on rate_limits (expire);
