/* unprepared */ select l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id, l.drawing, l.open_to_rings, l.quantity, l.quantity_left, l.unit, l.ready_from, l.owner_id, l.postal_code_id, l.created_at, l.updated_at, l.expires_at, l.folded_count, o.username as owner_username, 'images/' || o.picture_name || '-96.webp' as owner_profile_picture, l.expires_at <= now() as is_expired, (l.is_held and l.hidden_at is not null) as is_held, l.hidden_at is not null as is_hidden, (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.listing_id = l.id) as photos, coalesce((select postal_code_id from users where id = $4::bigint), 0) as caller_postal_code_id, (l.folded_under is not null
    and exists (select from (select l.folded_under as id) f join listings l using (id) where l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.search @@ $5::tsquery)) as is_folded from (select * from ((select l.id as listing_id from listings l where l.is_public and l.is_active and l.hidden_at is null and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint) and l.state_id <> 3 and l.search @@ $2::tsquery order by listing_id desc limit 25) union all (select l.id as listing_id from listings l where l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted' union all select $1::bigint)) and l.ended_at is null and l.expires_at > now() and not (l.is_public and l.is_active and l.hidden_at is null) and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted')))) and l.state_id <> 3 and l.search @@ $3::tsquery order by listing_id desc limit 25)) s order by listing_id desc limit 25) p join listings l on l.id = p.listing_id join users o on o.id = l.owner_id order by listing_id desc;

/* unprepared */ select l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id, l.drawing, l.open_to_rings, l.quantity, l.quantity_left, l.unit, l.ready_from, l.owner_id, l.postal_code_id, l.created_at, l.updated_at, l.expires_at, l.folded_count, o.username as owner_username, 'images/' || o.picture_name || '-96.webp' as owner_profile_picture, l.expires_at <= now() as is_expired, (l.is_held and l.hidden_at is not null) as is_held, l.hidden_at is not null as is_hidden, (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.listing_id = l.id) as photos, coalesce((select postal_code_id from users where id = $6::bigint), 0) as caller_postal_code_id, (l.folded_under is not null
    and exists (select from (select l.folded_under as id) f join listings l using (id) where l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.search @@ $7::tsquery)) as is_folded from (select * from ((select l.id as listing_id from listings l where l.is_public and l.is_active and l.hidden_at is null and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint) and l.state_id <> 3 and l.search @@ $2::tsquery and not l.search @@ $3::tsquery order by listing_id desc limit 25) union all (select l.id as listing_id from listings l where l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted' union all select $1::bigint)) and l.ended_at is null and l.expires_at > now() and not (l.is_public and l.is_active and l.hidden_at is null) and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted')))) and l.state_id <> 3 and l.search @@ $4::tsquery and not l.search @@ $5::tsquery order by listing_id desc limit 25)) s order by listing_id desc limit 25) p join listings l on l.id = p.listing_id join users o on o.id = l.owner_id order by listing_id desc;

select t.term, t.listing_count from (
     select term, listing_count from search_terms where deletions && $3::text[] or term % $2 and term not like '#%'
     order by similarity(term, $2) desc, listing_count desc offset 0
   ) t where (t.listing_count >= 64 or (
  select count(*) from listings l
  where l.search @@ format('''%s'' | ''=%s''', t.term, t.term)::tsquery and l.is_public and l.is_active and l.hidden_at is null and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)) > 0) limit 50;

select t.term, t.listing_count from (
     select term, listing_count from search_terms where term >= $2 and term < $3 order by listing_count desc, term offset 0
   ) t where (t.listing_count >= 64 or (
  select count(*) from listings l
  where l.search @@ format('''%s'' | ''=%s''', t.term, t.term)::tsquery and l.is_public and l.is_active and l.hidden_at is null and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)) > 0) limit $4;

select t.term, t.listing_count from search_terms t where t.term = any ($2::text[]) and (t.listing_count >= 64 or (
  select count(*) from listings l
  where l.search @@ format('''%s'' | ''=%s''', t.term, t.term)::tsquery and l.is_public and l.is_active and l.hidden_at is null and l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)) > 0);

select user_id from sessions where token_hash = $1 and expires_at > now();

with own as materialized (
     select l.search from listings l
     where l.owner_id = any (array(select high_id from friendships where low_id = $1 and status = 'accepted'
    union all select low_id from friendships where high_id = $1 and status = 'accepted' union all select $1)) and l.ended_at is null and l.expires_at > now() and not (l.is_public and l.is_active and l.hidden_at is null)
       and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted'))))
     union all
     select l.search from listings l where l.owner_id = $1 and l.ended_at is not null
   )
   select t.term from unnest($2::text[], $3::tsquery[]) t (term, query)
   where exists (select from own where own.search @@ t.query);
