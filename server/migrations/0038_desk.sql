create table desk_roles (
  user_id bigint primary key references users (id) on delete cascade,
  role text not null check (role in ('moderator', 'operator')),
  granted_at timestamptz not null default now()
);

-- Names of members are read when the log is shown, so that it does not keep those of deleted ones.
create table audit_log (
  id bigint generated always as identity primary key,
  -- Null for a command in the shell, and for what ends by itself.
  actor_id bigint,
  action text not null,
  target_type text not null check (target_type in ('listing', 'member', 'message', 'thanks', 'report')),
  target_id bigint not null,
  reason text,
  undoes bigint unique references audit_log (id),
  created_at timestamptz not null default now()
);
-- Serve listAuditLog with a filter.
create index audit_log_target on audit_log (target_type, target_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_action on audit_log (action, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed', tg_table_name;
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
