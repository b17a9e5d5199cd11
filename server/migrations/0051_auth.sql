-- Who has registered on a site by approval and waits for a moderator. They are no members, so no query of members finds them.
create table registration_requests (
  id bigint generated always as identity primary key,
  first_name text not null,
  last_name text not null,
  username text not null,
  email text not null,
  password_hash text not null,
  language text,
  -- The `invite` of a member's link.
  invitation text,
  network text not null,
  created_at timestamptz not null default now()
);
create unique index registration_requests_email on registration_requests (lower(email));
create unique index registration_requests_username on registration_requests (lower(username));
-- Serves deleteOldRequests.
create index registration_requests_created on registration_requests (created_at);
