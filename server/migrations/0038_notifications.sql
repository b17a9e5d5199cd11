-- A notice is about itself, so its id tells it from others in the unique index of the previous release.
create or replace function complete_notification() returns trigger language plpgsql as $$
begin
  if new.data is null then
    new.about_type := case
      when new.trade_id is not null then 'trade' when new.listing_id is not null then 'listing'
      when new.kind = 'ring' then 'matches' else 'member' end;
    new.about_id := coalesce(new.trade_id, new.listing_id, case when new.kind = 'ring' then 0 else new.from_id end);
    new.data := jsonb_strip_nulls(jsonb_build_object('trade_id', new.trade_id, 'listing_id', new.listing_id, 'want_id', new.want_id,
      'more', case when new.want_id is not null then new.more end));
    return new;
  end if;
  new.trade_id := (new.data->>'trade_id')::bigint;
  new.listing_id := coalesce(new.data->>'listing_id', new.data->>'notice_id')::bigint;
  new.want_id := (new.data->>'want_id')::bigint;
  new.more := coalesce((new.data->>'more')::integer, 0);
  if tg_op = 'INSERT' then
    delete from notifications where from_id = new.from_id and user_id = new.user_id and kind = new.kind
      and coalesce(listing_id, trade_id, 0) = coalesce(new.listing_id, new.trade_id, 0) and data is null;
  end if;
  return new;
end $$;
