select * from (
      select n.id, n.user_id, n.kind, n.created_at, n.read_at, (select language from users where id = n.user_id), json_build_object('id', o.id, 'username', o.username, 'profile_picture', 'images/' || o.picture_name || '-96.webp') as user,
   case n.kind when 'friend_request' then ('{}'::json)
when 'friend_accepted' then ('{}'::json)
when 'listing_ending' then (
    select json_build_object('listing', json_build_object('id', l.id, 'title', l.title, 'expires_at', to_char(l.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    from listings l
    where l.id = n.about_id and l.owner_id = n.user_id and l.remind_at is null and l.is_active and l.hidden_at is null and l.state_id <> 3)
when 'match' then (
    select json_build_object('match', json_build_object('want_id', w.id, 'want_title', w.title, 'listing_id', l.id,
      'listing_title', l.title, 'reason', coalesce(m.why, to_jsonb(m.reason)), 'more', coalesce((n.data->>'more')::int, 0)))
    from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id join wants w on w.id = m.want_id
    where m.want_id = (n.data->>'want_id')::bigint and m.listing_id = n.about_id and m.user_id = n.user_id and m.fits and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false)))
when 'swap' then (
    select json_build_object('match', json_build_object('want_id', w.id, 'want_title', w.title, 'listing_id', l.id,
      'listing_title', l.title, 'reason', coalesce(m.why, to_jsonb(m.reason)), 'more', coalesce((n.data->>'more')::int, 0)))
    from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id join wants w on w.id = m.want_id
    where m.want_id = (n.data->>'want_id')::bigint and m.listing_id = n.about_id and m.user_id = n.user_id and m.fits and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false)))
when 'price_dropped' then (
    select json_build_object('price_drop', json_build_object(
      'listing_id', l.id, 'listing_title', l.title, 'from', n.data->'from', 'to', l.price))
    from listings l join users o on o.id = l.owner_id
    where l.id = n.about_id and l.type_id = 1 and l.price < (n.data->>'from')::numeric and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(n.user_id, l.owner_id) and f.high_id = greatest(n.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = n.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = n.user_id limit 1), false)))
when 'trade_requested' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_accepted' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_in_line' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (giver_id = n.from_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_declined' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_withdrawn' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_lapsed' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_next' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (giver_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_reminder' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_handed_over' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_received' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (giver_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_not_received' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_gone' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_done' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'trade_thanked' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (giver_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'pickup_proposed' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'pickup_accepted' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'pickup_reminder' then (
      select json_build_object('trade', json_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'end_reason', t.end_reason, 'listing_id', leg.listing_id,
        'listing_title', case when not (leg.title = '' or leg.giver_id <> n.user_id and (
    coalesce((select true from listings withheld where withheld.id = leg.listing_id and withheld.hidden_at is not null limit 1), false)
    or coalesce((select true from users withheld where withheld.id = leg.giver_id and withheld.suspended_at is not null limit 1), false))) then leg.title end, 'pickup_starts_at', to_char(t.pickup_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from trades t cross join lateral (
        select * from trade_legs where trade_id = t.id order by (taker_id = n.user_id) desc, place limit 1
      ) leg where t.id = n.about_id)
when 'ring' then ('{}'::json)
when 'notice' then (
    select json_build_object('notice', json_build_object('kind', c.kind, 'rule', c.rule, 'text', c.text, 'ends_at', to_char(c.ends_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'listings', coalesce(c.listings,
  case when c.title is null then '[]' else jsonb_build_array(jsonb_build_object('title', c.title, 'category', null)) end)))
    from notices c where c.id = n.about_id and c.user_id = n.user_id) end as facts from notifications n join lateral (select * from users where id = n.from_id limit 1) o on true
      where n.user_id = $1 and n.id < $2 and o.suspended_at is null and not coalesce((select true from blocks b where b.blocker_id = n.user_id and b.blocked_id = n.from_id limit 1), false) order by n.id desc
    ) shown where facts is not null limit $3;

select user_id from sessions where token_hash = $1 and expires_at > now();
