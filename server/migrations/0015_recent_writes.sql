-- Members who have just written. Unlogged: after a crash of PostgreSQL a member may miss an own write for seconds.
create unlogged table recent_writes (
  user_id bigint not null,
  written_at timestamptz not null
);
-- Serves hasRecentWrite.
create index recent_writes_user on recent_writes (user_id, written_at);
-- Serves deleteOldWrites.
create index recent_writes_time on recent_writes (written_at);
