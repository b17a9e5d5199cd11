-- The desk has withdrawn the message from its receiver. Only its sender sees it then.
alter table messages add column is_withdrawn boolean not null default false;
-- Serves restoreWithdrawn and hasWithdrawn.
create index messages_withdrawn on messages (sender_id) where is_withdrawn;
-- Null if all messages that the member could see are withdrawn. Then no list has the thread.
alter table threads alter column last_message_id drop not null;
