-- Features declare kinds of notifications with data of their own, so the database knows neither.
-- `about_type` and `about_id` name what a notification is about: looking at it reads the notification.
alter table notifications
  add column about_type text,
  add column about_id bigint,
  add column data jsonb,
  drop constraint notifications_kind_check,
  drop constraint notifications_check,
  drop constraint notifications_check1,
  drop constraint notifications_check2,
  -- A notification whose match or trade is deleted is hidden, and deleted after 90 days.
  drop constraint notifications_want_id_listing_id_fkey,
  drop constraint notifications_trade_id_fkey;
-- Served the foreign key only.
drop index notifications_trade;

-- A new notification replaces an older one with the same subject. Serves insertNotifications, deleteReplaced, listNotified and updateRead.
create unique index notifications_subject on notifications (user_id, about_type, about_id, kind, from_id) where data is not null;
-- Serves completeNotifications.
create index notifications_without_data on notifications (id) where data is null;

-- The previous release reads and writes the columns `want_id`, `listing_id`, `more` and `trade_id` instead of `data`. This trigger fills
-- both until the next release, which drops the columns and the trigger.
create function complete_notification() returns trigger language plpgsql as $$
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
  new.listing_id := (new.data->>'listing_id')::bigint;
  new.want_id := (new.data->>'want_id')::bigint;
  new.more := coalesce((new.data->>'more')::integer, 0);
  if tg_op = 'INSERT' then
    delete from notifications where from_id = new.from_id and user_id = new.user_id and kind = new.kind
      and coalesce(listing_id, trade_id, 0) = coalesce(new.listing_id, new.trade_id, 0) and data is null;
  end if;
  return new;
end $$;
create trigger complete_notification before insert or update of data on notifications
  for each row execute function complete_notification();
