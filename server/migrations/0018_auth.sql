-- Null if the owner of the address has said that the account is not theirs.
alter table users alter column email drop not null;

-- Why a token has ended, for who follows its link. It also expires then, for nodes that do not know the column.
alter table password_resets add column ended text check (ended in ('used', 'replaced', 'revoked'));
alter table email_confirmations add column ended text check (ended in ('used', 'replaced'));
-- Serve deleteOldTokens.
create index password_resets_expiry on password_resets (expires_at);
create index email_confirmations_expiry on email_confirmations (expires_at);
