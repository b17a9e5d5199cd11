-- The time of the newest complete backup, in one row. It is not part of a backup.
create table newest_backup (
  is_newest boolean primary key default true check (is_newest),
  taken_at timestamptz not null
);
