-- The browsers that receive pushes.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- The session of the subscription, which ends with it.
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);
-- A browser belongs to the member who used it last. Serves upsertSubscription and deleteSubscription.
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
-- Serves the foreign key when a session is deleted.
create index push_subscriptions_session on push_subscriptions (session_hash);
-- Serves listSubscriptions and upsertSubscription, and the foreign key when a member is deleted.
create index push_subscriptions_user on push_subscriptions (user_id, id);
