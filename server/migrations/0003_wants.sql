create table wants (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  title text not null,
  category_id smallint check (category_id in (1, 2, 3)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One member's wish list in its order. Serves listWants, the limit per category, and the foreign key when a member goes.
create index wants_user on wants (user_id, id);
