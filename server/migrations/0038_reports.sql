create table report_cases (
  id bigint generated always as identity primary key,
  subject_type text not null check (subject_type in ('listing', 'member', 'message', 'thanks')),
  subject_id bigint not null,
  -- The owner, the author or the member itself. These are no foreign keys: a case survives what it is about.
  member_id bigint,
  taken_by bigint,
  taken_at timestamptz,
  outcome text,
  closed_by bigint,
  closed_at timestamptz,
  created_at timestamptz not null default now()
);
-- Serves the trigger below.
create unique index report_cases_open on report_cases (subject_type, subject_id) where closed_at is null;
-- Serve listCases.
create index report_cases_open_newest on report_cases (id desc) where closed_at is null;
create index report_cases_closed_newest on report_cases (id desc) where closed_at is not null;
-- Serves the screen of a member.
create index report_cases_member on report_cases (member_id, id desc);

alter table reports add column case_id bigint references report_cases (id);
alter table reports add column snapshot jsonb;
-- Serves listReportsOf.
create index reports_case on reports (case_id, id);
-- Serves deleteOldSnapshots.
create index reports_snapshot on reports (case_id) where snapshot is not null;

-- Groups reports by their subject, also those that a node of the previous release stores.
create function join_report_case() returns trigger language plpgsql as $$
declare
  kind text := case when new.listing_id is not null then 'listing' when new.message_id is not null then 'message'
    when new.thanks_id is not null then 'thanks' else 'member' end;
  subject bigint := coalesce(new.listing_id, new.message_id, new.thanks_id, new.user_id);
  author bigint := coalesce(new.user_id, (select sender_id from messages where id = new.message_id),
    (select author_id from thanks where id = new.thanks_id));
begin
  if subject is null then return new; end if;
  insert into report_cases (subject_type, subject_id, member_id) values (kind, subject, author)
    on conflict (subject_type, subject_id) where closed_at is null do update set member_id = excluded.member_id
    returning id into new.case_id;
  return new;
end $$;
create trigger reports_case before insert on reports
  for each row execute function join_report_case();

with cases as (
  insert into report_cases (subject_type, subject_id, member_id, created_at)
  select kind, subject, max(author), min(created_at) from (
    select case when r.listing_id is not null then 'listing' when r.message_id is not null then 'message'
        when r.thanks_id is not null then 'thanks' else 'member' end as kind,
      coalesce(r.listing_id, r.message_id, r.thanks_id, r.user_id) as subject,
      coalesce(r.user_id, m.sender_id, t.author_id) as author, r.created_at
    from reports r left join messages m on m.id = r.message_id left join thanks t on t.id = r.thanks_id
  ) old where subject is not null group by kind, subject
  returning id, subject_type, subject_id
)
update reports r set case_id = c.id from cases c
where c.subject_id = coalesce(r.listing_id, r.message_id, r.thanks_id, r.user_id)
  and c.subject_type = case when r.listing_id is not null then 'listing' when r.message_id is not null then 'message'
    when r.thanks_id is not null then 'thanks' else 'member' end;

-- What the desk tells a member about something of theirs, or about their report.
create table notices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null,
  title text,
  rule text,
  text text,
  created_at timestamptz not null default now()
);
-- Serves the foreign key.
create index notices_user on notices (user_id, id desc);
