-- The end of a pause.
alter table notices add column ends_at timestamptz;
