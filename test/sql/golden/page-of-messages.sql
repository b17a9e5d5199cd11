select user_id from sessions where token_hash = $1 and expires_at > now();

with m as materialized (
    select m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, m.listing_id, m.has_images from messages m where low_id = $4 and high_id = $5 and id < $3 and (not m.is_withdrawn or m.sender_id = $1)
    order by id desc limit 50
  ), mine as materialized (select last_read_id from threads where member_id = $1 and partner_id = $2),
  theirs as materialized (select shown_read_id from threads where member_id = $2 and partner_id = $1)
  select m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, shown.*,
  case when m.has_images then (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.message_id = m.id) end as photos, m.id <= coalesce(
    case when m.sender_id = $1 then (select shown_read_id from theirs) else (select last_read_id from mine) end, 0
  ) as is_read from m left join lateral (
    select l.id as listing_id, l.title as listing_title, i.name as image_name, array_to_string(i.widths, ',') as image_widths from listings l left join images i on i.listing_id = l.id and i.position = 0
    where l.id = m.listing_id and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted')))) limit 1
  ) shown on true;
