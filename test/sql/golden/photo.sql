select case
     when i.purpose in ('avatar', 'logo') then 'everybody'
     when l.id is not null then case
       when l.is_public and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and (select suspended_at is null from users where id = l.owner_id) then 'everybody'
       when (l.owner_id = $2::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $2::bigint
    union all select blocker_id from blocks where blocked_id = $2::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $2::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $2::bigint and status = 'accepted')))) then 'caller' else 'desk' end
     when i.owner_id = $2::bigint then 'caller'
     when i.message_id is not null then 'message'
     else 'neither' end as audience, i.message_id, i.owner_id
   from images i left join listings l on l.id = i.listing_id where i.name = $1;

select user_id from sessions where token_hash = $1 and expires_at > now();
