create table messages (
  id bigint generated always as identity primary key,
  -- No foreign keys: a message stays for the other side after one of the two is deleted.
  sender_id bigint not null,
  receiver_id bigint not null,
  content text not null,
  client_id uuid not null,
  -- The listing of the message, and the trade that it started. No foreign keys: the message stays.
  listing_id bigint,
  trade_id bigint,
  has_images boolean not null default false,
  -- The time of the insert instead of the transaction, so that the times of a conversation ascend with the ids.
  created_at timestamptz not null default clock_timestamp(),
  check (sender_id <> receiver_id)
);
-- Makes sending idempotent. Serves insertMessages, findSent, and exportAccount by sender.
create unique index messages_client on messages (sender_id, client_id);
-- Serves listMessagesBefore, listMessagesAfter, findUnread and deleteConversationsWithFormer.
create index messages_conversation on messages (least(sender_id, receiver_id), greatest(sender_id, receiver_id), id);
-- Serves exportAccount by receiver.
create index messages_receiver on messages (receiver_id);

alter table images add foreign key (message_id) references messages (id) on delete set null;

-- The state of a conversation for one of its two members, with the counts for lists and badges.
create table threads (
  member_id bigint not null references users (id) on delete cascade,
  -- No foreign key: the partner may be deleted.
  partner_id bigint not null,
  last_message_id bigint not null,
  unread_count integer not null default 0,
  -- The last message that the member has read.
  last_read_id bigint not null default 0,
  -- The last read message that the partner sees. A block stops its updates.
  shown_read_id bigint not null default 0,
  -- When the oldest unread message arrived; null if all are read.
  unread_since timestamptz,
  -- When a mail about the unread messages was sent.
  mailed_at timestamptz,
  -- When to push the unread messages, or null.
  push_due_at timestamptz,
  -- The last push of unread messages.
  pushed_at timestamptz,
  -- Serves insertMessages, updateRead, hasThread and findUnread.
  primary key (member_id, partner_id)
);
-- Serves listThreads and listPartners: latest first.
create index threads_latest on threads (member_id, last_message_id desc);
-- Serves countUnread from the index alone.
create index threads_unread on threads (member_id) include (unread_count) where unread_count > 0;
-- Serves takeMailDue.
create index threads_unmailed on threads (unread_since) where mailed_at is null and unread_since is not null;
-- Serves takePushDue.
create index threads_push_due on threads (push_due_at) where push_due_at is not null;
