select from sessions where token_hash = $1 and expires_at > now() for key share;

select user_id from sessions where token_hash = $1 and expires_at > now();

with unread as materialized (
      select member_id, partner_id, unread_count, last_message_id from threads
      where member_id = $1 and partner_id = $2 for update
    ), block as materialized (
      select (coalesce((select true from blocks b where b.blocker_id = unread.member_id and b.blocked_id = unread.partner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = unread.partner_id and b.blocked_id = unread.member_id limit 1), false)) as is_either_blocked from unread
    )
    update threads t
    set unread_count = 0, last_read_id = unread.last_message_id, unread_since = null, mailed_at = null,
      push_due_at = null, pushed_at = null,
      shown_read_id = case when block.is_either_blocked then t.shown_read_id else unread.last_message_id end
    from unread, block
    where t.member_id = $3 and t.partner_id = $4 and unread.unread_count > 0
    returning unread.unread_count as updated, t.last_read_id, not block.is_either_blocked as is_shown;
