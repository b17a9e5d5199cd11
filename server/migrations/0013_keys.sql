-- Keys that sign links and push messages, the same on all nodes.
create table signing_keys (
  -- Serves findKey.
  name text primary key,
  key bytea not null
);
