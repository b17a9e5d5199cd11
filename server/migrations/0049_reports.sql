-- The listings of a notice, each with its title and its corrected category. Rows of the previous release have `title` alone, which its
-- mails read too.
alter table notices add column listings jsonb;
-- The suspension before its end, for the undoing of that: rule, reason and ends_at.
alter table audit_log add column suspension_was jsonb;
