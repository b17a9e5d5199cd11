select user_id from sessions where token_hash = $1 and expires_at > now();

with blocked as materialized (select blocked_id from blocks where blocker_id = $1)
  select sum(unread_count) as count from threads where member_id = $1 and unread_count > 0 and partner_id not in (select blocked_id from blocked);
