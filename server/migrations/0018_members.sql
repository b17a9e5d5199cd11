-- Serves isUsernameTaken: usernames that look the same. Not unique, because members may have had such names before.
create index if not exists users_username_spelling on users (translate(lower(replace(username, '_', '')), '01i', 'oll'));

-- Usernames that were given up, as SHA-256 of how they look. They are not free until 30 days later.
create table former_usernames (
  -- Serves isUsernameTaken, insertFormerUsername and deleteFormerUsername.
  spelling_hash bytea primary key,
  user_id bigint references users (id) on delete set null,
  given_up_at timestamptz not null default now()
);
-- Serves the export, and the foreign key when a member is deleted.
create index former_usernames_user on former_usernames (user_id) where user_id is not null;
-- Serves deleteOldUsernames.
create index former_usernames_age on former_usernames (given_up_at);
