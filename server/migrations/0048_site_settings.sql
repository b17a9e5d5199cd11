-- The settings of the site that operators have saved. Each row has all of them, and the newest holds. A setting that it does not have is
-- that of the environment.
create table site_versions (
  version bigint primary key,
  -- Not a reference: the history stays when the operator leaves. Null for a command of the shell.
  actor_id bigint,
  settings jsonb not null,
  -- The version whose settings came back; 0 is the environment.
  restores bigint,
  created_at timestamptz not null default now()
);
create trigger site_versions_append_only before update or delete or truncate on site_versions
  for each statement execute function refuse_change();
