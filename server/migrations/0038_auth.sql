-- Why a suspended member is suspended, and until when. A suspension without a row has no reason and no end.
create table suspensions (
  user_id bigint primary key references users (id) on delete cascade,
  rule text not null,
  reason text not null,
  ends_at timestamptz,
  appeal text,
  appealed_at timestamptz,
  created_at timestamptz not null default now()
);
-- Serves listEndedSuspensions.
create index suspensions_end on suspensions (ends_at) where ends_at is not null;
-- Serves listAppeals.
create index suspensions_appeal on suspensions (appealed_at) where appealed_at is not null;
