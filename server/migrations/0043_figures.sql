-- The counts of the desk by day in UTC. They name nobody, and stay when members leave.
create table daily_figures (
  day date not null,
  kind text not null,
  count bigint not null,
  primary key (day, kind)
);

-- Serve the counts of a day. Messages and matches are many and mostly stored in the order of time; the finished trades are few a day.
create index messages_created on messages using brin (created_at);
create index matches_created on matches using brin (created_at);
create index trades_updated on trades using brin (updated_at);
create index trades_created on trades (created_at);
create index users_created on users (created_at);
create index listings_created on listings (created_at);
create index wants_created on wants (created_at);
create index report_cases_created on report_cases (created_at);
create index report_cases_closed on report_cases (closed_at) where closed_at is not null;
