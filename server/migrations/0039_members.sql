-- Serves listDeskMembers with words.
create index users_desk_search on users using gin (
  lower(username || ' ' || first_name || ' ' || last_name || ' ' || coalesce(email, '')) gin_trgm_ops
);
