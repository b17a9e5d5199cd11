-- When the mailbox of the address refused the invitation for good.
alter table invitations
add column refused_at timestamptz;
