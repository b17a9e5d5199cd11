-- Until when a member writes to no strangers and posts no listings.
create table pauses (
  user_id bigint primary key references users (id) on delete cascade,
  ends_at timestamptz not null,
  created_at timestamptz not null default now()
);
-- Serves deleteEndedPauses.
create index pauses_end on pauses (ends_at);
