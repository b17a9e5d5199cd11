select l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id, l.drawing, l.open_to_rings, l.quantity, l.quantity_left, l.unit, l.ready_from, l.owner_id, l.postal_code_id, l.created_at, l.updated_at, l.expires_at, l.folded_count, o.username as owner_username, 'images/' || o.picture_name || '-96.webp' as owner_profile_picture, l.expires_at <= now() as is_expired, (l.is_held and l.hidden_at is not null) as is_held, l.hidden_at is not null as is_hidden, (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.listing_id = l.id) as photos, coalesce((select postal_code_id from users where id = $1::bigint), 0) as caller_postal_code_id
   from listings l join users o on o.id = l.owner_id where l.id = $2 and (l.owner_id = $1::bigint or l.is_active and l.hidden_at is null and l.ended_at is null and l.expires_at > now() and l.owner_id not in (select id from users where suspended_at is not null union all select blocked_id from blocks where blocker_id = $1::bigint
    union all select blocker_id from blocks where blocked_id = $1::bigint)
    and (l.is_public or l.owner_id = any (array(select high_id from friendships where low_id = $1::bigint and status = 'accepted'
    union all select low_id from friendships where high_id = $1::bigint and status = 'accepted'))));

select user_id from sessions where token_hash = $1 and expires_at > now();
