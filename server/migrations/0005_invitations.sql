-- Invitations by mail. The address itself is kept only until the mail is sent.
create table invitations (
  id bigint generated always as identity primary key,
  user_id bigint references users (id) on delete set null,
  email text,
  email_hash bytea not null,
  token_hash bytea,
  created_at timestamptz not null default now()
);
-- Serves findInvitedAddress.
create unique index invitations_token on invitations (token_hash) where token_hash is not null;
-- Serves countOtherInvitations: recent mails to an address.
create index invitations_address on invitations (email_hash, created_at);
-- Serves deleteOldInvitations (invitations without an inviter), and the foreign key when a member is deleted.
create index invitations_user on invitations (user_id);
-- Serves deleteOldInvitations.
create index invitations_age on invitations (created_at);

-- Hashes of addresses that have opted out of invitations.
create table invitation_opt_outs (
  -- Serves hasOptedOut.
  email_hash bytea primary key,
  created_at timestamptz not null default now()
);
