create table sessions (
  -- Serves findSession, listValidSessions and deleteSession.
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves deleteSessionsOf, and the foreign key when a member is deleted.
create index sessions_user on sessions (user_id);
-- Serves deleteExpiredSessions.
create index sessions_expiry on sessions (expires_at);

create table password_resets (
  -- Serves findReset and updateResetUsed.
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves updateResetsEnded, and the foreign key when a member is deleted.
create index password_resets_user on password_resets (user_id);

create table email_confirmations (
  -- Serves findConfirmationForUpdate and updateConfirmationUsed.
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Serves replaceConfirmation, and the foreign key when a member is deleted.
create index email_confirmations_user on email_confirmations (user_id);

-- Mails that wait until the member has confirmed the address.
create table waiting_mails (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
-- Serves insertWaitingMail and deleteWaitingMails, and the foreign key when a member is deleted.
create index waiting_mails_user on waiting_mails (user_id, id);

-- Attempts per key and window, shared by all nodes. Unlogged: a crash only resets the counts.
create unlogged table rate_limits (
  -- Serves rate-limiter-flexible.
  key text primary key,
  points integer not null default 0,
  expire bigint
);
-- Serves deleteExpiredAttempts.
create index rate_limits_expiry on rate_limits (expire);
