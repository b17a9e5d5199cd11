-- The job that mails the token. Each of its attempts stores a token: a mail server may have accepted the mail of any of them.
alter table password_resets add column job_id uuid;
alter table email_confirmations add column job_id uuid;
