-- Files that stay for the evidence of a report after their image is deleted.
create table kept_photos (name text primary key, kept_until timestamptz not null);
