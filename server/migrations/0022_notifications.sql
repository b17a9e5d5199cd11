-- When a member's next mail or push about a topic is due. `subject_id` is the id of a trade, or 0 for a topic that coalesces everything.
create table deliveries (
  user_id bigint not null references users (id) on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  topic text not null,
  subject_id bigint not null default 0,
  due_at timestamptz,
  sent_at timestamptz,
  -- The newest notification that was sent.
  sent_id bigint not null default 0,
  -- Serves upsertDue, updateDue, updateSentId and listPendingMails.
  primary key (user_id, channel, topic, subject_id)
);
-- Serves takeDue.
create index deliveries_due on deliveries (due_at) where due_at is not null;
-- Serves deleteOldDeliveries.
create index deliveries_sent on deliveries using brin (sent_at);

-- The end of a session stays visible until the browser was told that its pushes have ended.
alter table push_subscriptions
  alter column session_hash drop not null,
  drop constraint push_subscriptions_session_hash_fkey,
  add foreign key (session_hash) references sessions (token_hash) on delete set null not valid;
-- Serves takeEnded.
create index push_subscriptions_ended on push_subscriptions (id) where session_hash is null;

comment on column threads.unread_since is
  'Fifteen minutes before the next mail about unread messages; null if none is due. A mail or a push that was shown moves it ahead.';
comment on column threads.mailed_at is 'When a mail about the unread messages was sent; null after the next message';
