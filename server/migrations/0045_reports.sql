-- What the site has noticed by itself. Null for a report of a member.
alter table reports
add column noticed text;
