-- When the member's mailbox last refused a mail for good. Null once the address is confirmed again or replaced.
alter table users
add column email_refused_at timestamptz;
