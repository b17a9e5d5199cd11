create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint references users (id) on delete set null,
  listing_id bigint references listings (id) on delete set null,
  user_id bigint references users (id) on delete set null,
  message_id bigint references messages (id) on delete set null,
  thanks_id bigint,
  reason text not null,
  created_at timestamptz not null default now()
);
-- Serve the foreign keys when a member, a listing or a message is deleted.
create index reports_reporter on reports (reporter_id);
create index reports_listing on reports (listing_id);
create index reports_user on reports (user_id);
create index reports_message on reports (message_id);
-- Serves the foreign key when a thank-you is deleted.
create index reports_thanks on reports (thanks_id);
