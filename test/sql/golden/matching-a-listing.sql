insert into search_terms (term, deletions, listing_count)
    select n.term, n.deletions, n.listing_count
    from json_to_recordset($1::json) as n (term text, deletions text[], listing_count integer)
    where not exists (select from search_terms t where t.term = n.term)
    order by n.term collate "C" on conflict (term) do nothing;

select from sessions where token_hash = $1 and expires_at > now() for key share;

select l.id, l.owner_id, l.title, l.description, l.category_id, l.type_id,
  l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) as is_on_offer, l.is_public, l.postal_code_id, hashtextextended(l.title || E'\n' || l.description, 0)::text as text_hash, (l.hidden_at is not null or o.suspended_at is not null) as is_withheld, exists (select from listings other
  where other.owner_id = l.owner_id and lower(other.title) = lower(l.title) and other.type_id = l.type_id
    and other.category_id is not distinct from l.category_id and other.id < l.id
    and other.is_active and other.hidden_at is null and other.ended_at is null and other.expires_at > now() and other.state_id <> 3 and (other.is_public or not l.is_public)) as is_repeated from listings l join users o on o.id = l.owner_id where l.id = $1 for share of l;

select l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id, l.drawing, l.open_to_rings, l.quantity, l.quantity_left, l.unit, l.ready_from, l.owner_id, l.postal_code_id, l.created_at, l.updated_at, l.expires_at, l.folded_count, o.username as owner_username, 'images/' || o.picture_name || '-96.webp' as owner_profile_picture, l.expires_at <= now() as is_expired, (l.is_held and l.hidden_at is not null) as is_held, l.hidden_at is not null as is_hidden, (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.listing_id = l.id) as photos, coalesce((select postal_code_id from users where id = $1::bigint), 0) as caller_postal_code_id
   from listings l join users o on o.id = l.owner_id where l.id = $2 and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted'))));

select listing_id, count(*) as requests from trade_legs
    where listing_id = any ($1::bigint[]) and is_requested and status = 'open' group by listing_id;

select user_id from sessions where token_hash = $1 and expires_at > now();

select w.id, w.title, w.category_id, u.id as user_id, u.postal_code_id, case when not u.match_anywhere then coalesce(u.match_radius, 25) end as match_radius, u.mail_matches, u.time_zone,
  u.suspended_at is not null as is_suspended,
  coalesce((select true from push_subscriptions p where p.user_id = u.id limit 1), false) as has_push, c.fits, u.id in (select blocked_id from blocks where blocker_id = $4::bigint
    union all select blocker_id from blocks where blocked_id = $4::bigint) as is_either_blocked
  from (
    select want_id, bool_or(fits) as fits from ((select want_id, true as fits from matches where listing_id = $1 and is_swap = true and want_id > $2 and fits
      order by want_id limit 1000) union all (select want_id, true as fits from matches where listing_id = $1 and is_swap = false and want_id > $2 and fits
      order by want_id limit 1000) union all (
    select t.want_id, false from unnest($3::text[]) g (term) cross join lateral (
      select want_id from want_terms
      where term = g.term and wanted and want_id > $2 and user_id <> $4
        and (category_id is null or $5::smallint is null or category_id = $5)
      order by want_id limit 1000
    ) t)) found
    group by want_id order by want_id limit 1000
  ) c
  cross join lateral (select * from wants where id = c.want_id limit 1) w
  cross join lateral (select * from users where id = w.user_id limit 1) u
  order by w.id;

with changed as materialized (
    select id, folded_under from listings where id = any ($1::bigint[])
  ), affected as materialized (
    select id from changed
    union select folded_under from changed where folded_under is not null
    union select id from listings where folded_under = any ($1::bigint[])
  ), titles as (
    select distinct owner_id, lower(title) as title from listings where id = any (array(select id from affected))
  ), listed as materialized (
    select l.id, max(l.id) over class as newest_id, count(*) over class - 1 as others
    from titles t join listings l on l.owner_id = t.owner_id and lower(l.title) = t.title
    where l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.id <> all ($2::bigint[])
    window class as (partition by l.owner_id, lower(l.title), l.type_id, l.category_id, l.state_id, l.is_public)
  ), folded as (
    select id, nullif(newest_id, id) as under, case when newest_id = id then others else 0 end as count from listed
    union all
    select id, null, 0 from affected where id not in (select id from listed)
  ), locked as materialized (
    select l.id, f.under, f.count from folded f join listings l on l.id = f.id
    where (l.folded_under, l.folded_count) is distinct from (f.under, f.count) order by l.id for no key update of l
  )
  update listings l set folded_under = locked.under, folded_count = locked.count from locked where l.id = locked.id;

with found as (
     select * from json_to_recordset($1::json) as x (
       want_id bigint, listing_id bigint, user_id bigint, owner_id bigint, kind text, reason text, why jsonb, want_title text,
       text_hash text, by_mail boolean, by_push boolean)
   ), locked as materialized (
     select x.* from found x
     join wants w on w.id = x.want_id and w.title = x.want_title
     join listings l on l.id = x.listing_id and hashtextextended(l.title || E'\n' || l.description, 0)::text = x.text_hash
     order by x.want_id, x.listing_id for share of w, l
   ), unfit as materialized (
     select x.want_id, x.listing_id from locked x cross join lateral (
       select fits from matches where want_id = x.want_id and listing_id = x.listing_id limit 1
     ) m where not m.fits
   ), stored as (
     insert into matches (want_id, listing_id, user_id, owner_id, kind, reason, why, mail_pending, push_pending)
     select want_id, listing_id, user_id, owner_id, kind, reason, why, by_mail, by_push from locked
     on conflict (want_id, listing_id) do update set fits = true, kind = excluded.kind, reason = excluded.reason, why = excluded.why
       where not matches.fits or (matches.kind, matches.why) is distinct from (excluded.kind, excluded.why)
     returning want_id, listing_id, xmax = 0 as is_new
   )
   select s.*, exists (select from unfit u where u.want_id = s.want_id and u.listing_id = s.listing_id) as fits_again
   from stored s;

with others as materialized (
     select owner_id as id from matches where owner_id = any ($2::bigint[]) and user_id = $1
     union select user_id from matches where owner_id = $1 and user_id = any ($2::bigint[]) and is_swap
   ), pairs as materialized (
     select x.id as other, m.want_id, m.listing_id, m.user_id, m.owner_id, m.may_be
     from others x cross join lateral (
       (
  select m.*, l.type_id = 2 and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false)) as may_be
  from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id
  where m.user_id = x.id and m.owner_id = $1::bigint and m.fits) union all (
  select m.*, l.type_id = 2 and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false)) as may_be
  from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id
  where m.user_id = $1::bigint and m.owner_id = x.id and m.fits)
     ) m
   ), mutual as (
     select other, bool_or(may_be and user_id = other) and bool_or(may_be and owner_id = other) as is_mutual
     from pairs group by other
   )
   update matches m set is_swap = p.may_be and t.is_mutual
   from pairs p join mutual t on t.other = p.other
   where m.want_id = p.want_id and m.listing_id = p.listing_id and m.is_swap <> (p.may_be and t.is_mutual)
   returning m.want_id, m.listing_id, m.user_id, m.owner_id, m.is_swap,
     not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = m.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = m.owner_id and b.blocked_id = m.user_id limit 1), false))
     and not exists (select from users u where u.id in (m.user_id, m.owner_id) and u.suspended_at is not null)
     and not coalesce((select true from listings l where l.id = m.listing_id and l.hidden_at is not null limit 1), false) as is_visible;

with start as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver, m.user_id as taker
    from matches m join listings l on l.id = m.listing_id
    where m.want_id = $1 and m.listing_id = $2 and m.fits and m.dismissed_at is null and not m.is_swap and l.is_public and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.state_id = 1
  and (l.type_id = 2 or l.type_id = 3 and l.open_to_rings)
  ), onward as materialized (
    select m.want_id, m.listing_id, m.user_id as taker
    from start
    cross join lateral (
      select l.id from listings l where l.owner_id = start.taker and l.is_public and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.state_id = 1
  and (l.type_id = 2 or l.type_id = 3 and l.open_to_rings) order by l.id desc limit 20
    ) l
    cross join lateral (
      select * from matches m where m.listing_id = l.id and m.fits and m.dismissed_at is null and not m.is_swap order by m.want_id desc limit 10
    ) m
    where m.user_id not in (start.giver, start.taker)
    limit 40
  ), back as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver
    from start
    cross join lateral (
      select * from matches m where m.user_id = start.giver and m.fits and m.dismissed_at is null and not m.is_swap order by m.id desc limit 40
    ) m
    join listings l on l.id = m.listing_id
    where m.owner_id not in (start.giver, start.taker) and l.is_public and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.state_id = 1
  and (l.type_id = 2 or l.type_id = 3 and l.open_to_rings)
  ), middle as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver, m.user_id as taker
    from (select distinct giver from back) b
    cross join lateral (
      select * from matches m
      where m.user_id = b.giver and m.owner_id = any (array(select taker from onward)) and m.fits and m.dismissed_at is null and not m.is_swap
      limit 40
    ) m
    join listings l on l.id = m.listing_id
    where l.is_public and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.state_id = 1
  and (l.type_id = 2 or l.type_id = 3 and l.open_to_rings) and m.owner_id <> m.user_id
  )
  select to_json(array[s.want_id, o.want_id, b.want_id]) as wants,
    to_json(array[s.listing_id, o.listing_id, b.listing_id]) as listings,
    to_json(array[s.giver, s.taker, o.taker]) as members
  from start s cross join onward o join back b on b.giver = o.taker
  union all
  select to_json(array[s.want_id, o.want_id, m.want_id, b.want_id]),
    to_json(array[s.listing_id, o.listing_id, m.listing_id, b.listing_id]),
    to_json(array[s.giver, s.taker, o.taker, b.giver])
  from start s cross join onward o join middle m on m.giver = o.taker join back b on b.giver = m.taker
  where b.giver <> o.taker;
