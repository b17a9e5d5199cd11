-- Sender and receiver are no foreign keys: a message stays for the other side when one of them leaves.
create table messages (
  id bigint generated always as identity primary key,
  sender_id bigint not null,
  receiver_id bigint not null,
  content text not null,
  client_id uuid not null,
  -- When it was written, not when its transaction began: later in a conversation is later by the clock.
  created_at timestamptz not null default clock_timestamp(),
  check (sender_id <> receiver_id)
);
-- The same client_id twice is the same message. Serves insertMessages, findSent, and the export of what a member wrote.
create unique index messages_client on messages (sender_id, client_id);
-- A conversation in its order. Serves listMessages and findNewestFrom.
create index messages_conversation on messages (least(sender_id, receiver_id), greatest(sender_id, receiver_id), id);
-- Serves the export of what a member was sent.
create index messages_receiver on messages (receiver_id);

-- A conversation as one of its two members has it: the list and the badge cost the same at ten messages and at ten million.
create table threads (
  member_id bigint not null references users (id) on delete cascade,
  -- No foreign key: the other side may have left.
  partner_id bigint not null,
  last_message_id bigint not null,
  unread_count integer not null default 0,
  -- What the partner wrote is read up to here.
  last_read_id bigint not null default 0,
  -- When the oldest of the unread came; null when all is read.
  unread_since timestamptz,
  -- When the member was told by mail of what is unread.
  mailed_at timestamptz,
  -- Serves insertMessages, updateRead and findThread.
  primary key (member_id, partner_id)
);
-- Serves listThreads and listPartners: latest first.
create index threads_latest on threads (member_id, last_message_id desc);
-- Serves countUnread from the index alone.
create index threads_unread on threads (member_id) include (unread_count) where unread_count > 0;
-- Serves takeUnmailed.
create index threads_unmailed on threads (unread_since) where mailed_at is null and unread_since is not null;

alter table reports add column message_id bigint references messages (id) on delete set null;
-- Serves the foreign key when a message goes.
create index reports_message on reports (message_id);

-- What signs links that work without a login, the same on all nodes.
create table signing_keys (name text primary key, key bytea not null);
insert into signing_keys (name, key)
values ('unsubscribe', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
