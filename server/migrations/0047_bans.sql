-- Networks and mail domains from which nobody registers.
create table bans (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('network', 'domain')),
  -- An IPv4 address, an IPv6 network like 2001:db8:0:1::/64, or a domain in ASCII.
  value text not null,
  reason text not null,
  -- No foreign key, like that of the audit log.
  actor_id bigint not null,
  ends_at timestamptz,
  lifted_at timestamptz,
  created_at timestamptz not null default now()
);
-- Serves findBans, and keeps one ban of a value.
create unique index bans_value on bans (kind, value) where lifted_at is null;
-- Serves listBans.
create index bans_newest on bans (id desc) where lifted_at is null;
-- Serve deleteOldBans.
create index bans_lifted on bans (lifted_at) where lifted_at is not null;
create index bans_end on bans (ends_at) where ends_at is not null;

-- The network of each new registration, for 30 days.
create table registration_networks (
  user_id bigint primary key references users (id) on delete cascade,
  network text not null,
  created_at timestamptz not null default now()
);
-- Serves listBusyNetworks and deleteOldNetworks.
create index registration_networks_created on registration_networks (created_at);
