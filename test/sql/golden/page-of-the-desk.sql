select l.id, l.title, l.description, l.owner_id, o.username as owner_username, l.category_id, l.is_active, l.is_public,
      l.hidden_at is not null as is_hidden, (l.is_held and l.hidden_at is not null) as is_held, l.expires_at <= now() as is_expired, l.created_at,
      (select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', i.position)) from images i where i.listing_id = l.id) as photos
     from listings l join users o on o.id = l.owner_id
     where l.id < $1 order by l.id desc limit $2;

select user_id from sessions where token_hash = $1 and expires_at > now();
