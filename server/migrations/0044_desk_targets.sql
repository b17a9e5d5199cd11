-- The contract has the kinds of targets. A check would need a new migration for each.
alter table audit_log drop constraint audit_log_target_type_check;

-- Serve the mails of the desk: addresses that take no mail, and members who have not confirmed theirs.
create index users_email_refused on users (email_refused_at) where email_refused_at is not null;
create index invitations_refused on invitations (refused_at) where refused_at is not null;
create index users_unconfirmed on users (id) where email_confirmed_at is null and email is not null;
