-- The lower and the higher member of a conversation, by which statements find its messages and a cluster distributes them (decision 0065).
-- Rewrites the table once, because each row needs both; `docs/operations.md` says for how long. Then they are plain columns.
alter table messages
  add column low_id bigint not null generated always as (least(sender_id, receiver_id)) stored,
  add column high_id bigint not null generated always as (greatest(sender_id, receiver_id)) stored;
alter table messages alter column low_id drop expression, alter column high_id drop expression;

-- The previous release inserts without them. The next release drops this trigger.
create function set_conversation() returns trigger language plpgsql as $$
begin
  new.low_id := least(new.sender_id, new.receiver_id);
  new.high_id := greatest(new.sender_id, new.receiver_id);
  return new;
end $$;
create trigger set_conversation before insert on messages
  for each row when (new.low_id is null) execute function set_conversation();

-- Serves listMessagesBefore, listMessagesAfter, findUnread and deleteConversations.
create index messages_pair on messages (low_id, high_id, id);

-- Messages and threads may be on other servers than the rest, so neither has foreign keys to it, nor it to them. The previous release
-- needs those and its index until it has stopped: only a database without members has no previous release. The next release drops them.
do $$
begin
  if exists (select from users) then return; end if;
  drop index messages_conversation;
  alter table threads drop constraint threads_member_id_fkey;
  alter table images drop constraint images_message_id_fkey;
  alter table reports drop constraint reports_message_id_fkey;
end $$;
