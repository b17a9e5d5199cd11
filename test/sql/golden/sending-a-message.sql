select partner_id from threads where member_id = $1 and partner_id = $2 and last_message_id is not null;

select user_id from sessions where token_hash = $1 and expires_at > now();

with drafts as materialized (
    select *, least(sender_id, receiver_id) as low_id, greatest(sender_id, receiver_id) as high_id, string_to_array(image_ids_text, ',')::bigint[] as image_ids
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[], $5::bytea[], $6::bigint[], $7::text[]) with ordinality as d (sender_id, receiver_id, content, client_id, session, listing_id, image_ids_text, position)
  ), valid_sessions as materialized (
    select token_hash from sessions where token_hash = any ($5::bytea[]) and expires_at > now()
    order by token_hash for key share
  ), checked as materialized (
    select d.*, case
      when d.session not in (select token_hash from valid_sessions) then 'no session'
      when r.id is null then 'no receiver'
      when (coalesce((select true from blocks b where b.blocker_id = d.sender_id and b.blocked_id = d.receiver_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = d.receiver_id and b.blocked_id = d.sender_id limit 1), false)) then 'blocked'
      when d.listing_id is not null and not exists (
        select from listings l where l.id = d.listing_id and (l.owner_id = d.sender_id or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = d.sender_id
    union all select blocker_id from blocks where blocked_id = d.sender_id)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = d.sender_id and status = 'accepted'
    union all select low_id from friendships where high_id = d.sender_id and status = 'accepted')))) and (l.owner_id = d.receiver_id or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = d.receiver_id
    union all select blocker_id from blocks where blocked_id = d.receiver_id)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = d.receiver_id and status = 'accepted'
    union all select low_id from friendships where high_id = d.receiver_id and status = 'accepted'))))
      ) then 'no listing'
      
      else 'allowed' end as verdict
    from drafts d left join users r on r.id = d.receiver_id and r.suspended_at is null
  ), sent as materialized (
    select *, verdict = 'allowed'
      and row_number() over (partition by sender_id, client_id, verdict order by position) = 1 as is_first
    from checked
  ), locked as materialized (
    select pg_advisory_xact_lock(conversation) is not null as is_locked from (
      select distinct hashint8extended(low_id, high_id) as conversation from sent where is_first order by conversation
    ) conversations
  ), moment as materialized (
    select max(clock_timestamp()) as at from locked
  ), stored as (
    insert into messages (low_id, high_id, sender_id, receiver_id, content, client_id, listing_id, has_images, created_at)
    select low_id, high_id, sender_id, receiver_id, content, client_id, listing_id, false and cardinality(image_ids) > 0, at
    from sent cross join moment where is_first
    order by position
    on conflict do nothing
    returning id, sender_id, receiver_id, content, client_id, created_at
  ), sides as materialized (
    select member_id, partner_id, max(id) as last_message_id, sum(unread) as unread_count,
      case when sum(unread) > 0 then now() end as unread_since,
      case when sum(unread) > 0 and exists (select from push_subscriptions p where p.user_id = member_id)
        then now() + make_interval(secs => 5) end as push_due_at
    from (
      select sender_id as member_id, receiver_id as partner_id, id, 0 as unread from stored
      union all
      select receiver_id, sender_id, id, 1 from stored
    ) sides
    group by member_id, partner_id
  ),
  updated_threads as (
    insert into threads (member_id, partner_id, last_message_id, unread_count, unread_since, push_due_at)
    select member_id, partner_id, last_message_id, unread_count, unread_since, push_due_at from sides
    order by member_id, partner_id
    on conflict (member_id, partner_id) do update set
      last_message_id = excluded.last_message_id,
      unread_count = threads.unread_count + excluded.unread_count,
      unread_since = case
        when excluded.unread_since is null then threads.unread_since
        when threads.mailed_at is null then coalesce(threads.unread_since, excluded.unread_since)
        else greatest(excluded.unread_since, (threads.mailed_at at time zone 'UTC' + make_interval(mins => 225)) at time zone 'UTC') end,
      mailed_at = case when excluded.unread_since is null then threads.mailed_at end,
      push_due_at = coalesce(threads.push_due_at, case when excluded.push_due_at is not null then greatest(excluded.push_due_at,
        (threads.pushed_at at time zone 'UTC' + make_interval(mins => 1)) at time zone 'UTC') end)
    returning push_due_at
  )
  select sent.verdict, stored.id, stored.content, stored.created_at,
    exists (select from updated_threads where push_due_at is not null) as is_pushed, l.id as listing_id, l.title as listing_title, i.name as image_name, array_to_string(i.widths, ',') as image_widths,
    null::json as photos
  from sent left join stored
    on sent.is_first and stored.sender_id = sent.sender_id and stored.client_id = sent.client_id
  left join listings l on l.id = sent.listing_id left join images i on i.listing_id = l.id and i.position = 0
  order by sent.position;
