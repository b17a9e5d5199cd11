-- True for a listing that waited to be shown when a moderator hid it: undoing that must not show it.
alter table audit_log add column was_held boolean;
