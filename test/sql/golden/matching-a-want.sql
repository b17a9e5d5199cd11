delete from notifications where user_id = any (array(select user_id from json_to_recordset($1::json) as x (
  user_id bigint, from_id bigint, about_type text, about_id bigint))) and id = any (array(
      select n.id from json_to_recordset($2::json) as x (
  user_id bigint, from_id bigint, about_type text, about_id bigint) cross join lateral (
        select id from notifications n where n.user_id = x.user_id and n.about_type = x.about_type and n.about_id = x.about_id
  and n.from_id = x.from_id and n.data is not null and n.kind = any ($3) limit 1
      ) n));

insert into deliveries as t (user_id, channel, topic, subject_id, due_at)
   select user_id, channel, $3, subject_id, min(due_at)
   from unnest($1::bigint[], $2::text[], $4::bigint[], $5::timestamptz[]) as x (user_id, channel, subject_id, due_at)
   group by user_id, channel, subject_id order by user_id, channel, subject_id
   on conflict (user_id, channel, topic, subject_id) do update set due_at = least(t.due_at, greatest(
  excluded.due_at, t.sent_at + make_interval(mins => case excluded.channel when 'mail' then 10 else 1 end))) where t.due_at is distinct from least(t.due_at, greatest(
  excluded.due_at, t.sent_at + make_interval(mins => case excluded.channel when 'mail' then 10 else 1 end)));

insert into want_terms (term, want_id, wanted, user_id, category_id)
    select * from json_to_recordset($1::json)
      as x (term text, want_id bigint, wanted boolean, user_id bigint, category_id smallint)
    on conflict (term, want_id) do nothing;

select "w"."id", "w"."user_id", "w"."title", "w"."category_id" from (select $1::bigint as id) as "me", "wants" as "w" where "w"."user_id" not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = me.id
    union all select blocker_id from blocks where blocked_id = me.id) and "w"."user_id" = $2 order by "w"."id";

select from sessions where token_hash = $1 and expires_at > now() for key share;

select g.id, c.listing_count from unnest($1::bigint[]) g (id) cross join lateral (
      select count(*)::int as listing_count from (
        select from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id
        where m.want_id = g.id and m.fits and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false)) and true limit 100
      ) counted
    ) c;

select l.id, l.owner_id, l.title, l.description, l.category_id, l.type_id,
  l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) as is_on_offer, l.is_public, l.postal_code_id, hashtextextended(l.title || E'\n' || l.description, 0)::text as text_hash, (l.hidden_at is not null or o.suspended_at is not null) as is_withheld, exists (select from listings other
  where other.owner_id = l.owner_id and lower(other.title) = lower(l.title) and other.type_id = l.type_id
    and other.category_id is not distinct from l.category_id and other.id < l.id
    and other.is_active and other.hidden_at is null and other.ended_at is null and other.expires_at > now() and other.state_id <> 3 and (other.is_public or not l.is_public)) as is_repeated from listings l join users o on o.id = l.owner_id where l.id = $1 for share of l;

select l.id, l.owner_id, l.title, l.description, l.category_id, l.type_id,
  l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) as is_on_offer, l.is_public, l.postal_code_id, hashtextextended(l.title || E'\n' || l.description, 0)::text as text_hash, (l.hidden_at is not null or o.suspended_at is not null) as is_withheld, exists (select from listings other
  where other.owner_id = l.owner_id and lower(other.title) = lower(l.title) and other.type_id = l.type_id
    and other.category_id is not distinct from l.category_id and other.id < l.id
    and other.is_active and other.hidden_at is null and other.ended_at is null and other.expires_at > now() and other.state_id <> 3 and (other.is_public or not l.is_public)) as is_repeated, l.owner_id in (select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint) as is_either_blocked,
     coalesce((select true from friendships f
    where f.low_id = least($1::bigint, l.owner_id) and f.high_id = greatest($1::bigint, l.owner_id) and f.status = 'accepted' limit 1), false) as is_friend
   from unnest($2::bigint[]) c (id)
   cross join lateral (select * from listings where id = c.id limit 1) l
   join users o on o.id = l.owner_id
   order by l.id desc;

select member_id, partner_id from threads where mailed_at is null and unread_since <= $1 order by unread_since limit $2;

select member_id, partner_id from threads where push_due_at <= $1 order by push_due_at limit $2;

select now()::text as now, (now() - make_interval(mins => 15))::text as unmailed_since;

select user_id from sessions where token_hash = $1 and expires_at > now();

select w.id, w.title, w.category_id, u.id as user_id, u.postal_code_id, case when not u.match_anywhere then coalesce(u.match_radius, 25) end as match_radius, u.mail_matches, u.time_zone,
  u.suspended_at is not null as is_suspended,
  coalesce((select true from push_subscriptions p where p.user_id = u.id limit 1), false) as has_push from wants w join users u on u.id = w.user_id where w.id = $1 for share of w;

update notifications set data = null where ctid = any (array(
      select ctid from notifications where data is null limit $1 for update skip locked
    ));

update wants w set crops = x.crops, postal_code_id = u.postal_code_id, terms_version = $1::smallint
    from json_to_recordset($2::json) as x (id bigint, crops text[]), users u
    where w.id = x.id and u.id = w.user_id;

with due as (
     select user_id, channel from notification_schedule where due_at <= now() order by due_at limit $1
     for update skip locked
   )
   update notification_schedule t set due_at = null, sent_at = now()
   from due where t.user_id = due.user_id and t.channel = due.channel
   returning t.user_id, t.channel, 'matches' as topic, 0 as subject_id;

with due as (
     select user_id, channel, topic, subject_id from deliveries where due_at <= now() order by due_at limit $1
     for update skip locked
   )
   update deliveries t set due_at = null, sent_at = now()
   from due where (t.user_id, t.channel, t.topic, t.subject_id) = (due.user_id, due.channel, due.topic, due.subject_id)
   returning t.user_id, t.channel, t.topic, t.subject_id;

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

with n as (
      insert into notifications (user_id, from_id, kind, about_type, about_id, data)
      select x.user_id, x.from_id, x.kind, x.about_type, x.about_id, x.data from json_to_recordset($1::json) as x (
        user_id bigint, from_id bigint, kind text, about_type text, about_id bigint, data jsonb)
      cross join lateral (select from users where id = x.user_id limit 1) u
      cross join lateral (select from users where id = x.from_id limit 1) o
      on conflict (user_id, about_type, about_id, kind, from_id) where data is not null
      do update set id = default, created_at = now(), read_at = null, data = excluded.data 
      returning *
    )
    select n.id, n.user_id, n.kind, n.created_at, n.read_at, (select language from users where id = n.user_id), json_build_object('id', o.id, 'username', o.username, 'profile_picture', 'images/' || o.picture_name || '-96.webp') as user,
   (
    select json_build_object('match', json_build_object('want_id', w.id, 'want_title', w.title, 'listing_id', l.id,
      'listing_title', l.title, 'reason', coalesce(m.why, to_jsonb(m.reason)), 'more', coalesce((n.data->>'more')::int, 0)))
    from matches m 
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id join wants w on w.id = m.want_id
    where m.want_id = (n.data->>'want_id')::bigint and m.listing_id = n.about_id and m.user_id = n.user_id and m.fits and m.dismissed_at is null and l.is_active and l.ended_at is null and l.expires_at > now() and l.state_id <> 3 and l.ready_at is null and not (l.is_held and l.hidden_at is not null) and not (l.hidden_at is not null or o.suspended_at is not null) and (l.is_public or coalesce((select true from friendships f
    where f.low_id = least(m.user_id, l.owner_id) and f.high_id = greatest(m.user_id, l.owner_id) and f.status = 'accepted' limit 1), false))
    and not (coalesce((select true from blocks b where b.blocker_id = m.user_id and b.blocked_id = l.owner_id limit 1), false) or coalesce((select true from blocks b where b.blocker_id = l.owner_id and b.blocked_id = m.user_id limit 1), false))) as facts from n join lateral (select * from users where id = n.from_id limit 1) o on true;

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
