-- The language of a member's mails, pushes and notifications. Null is English, also for a language that the site no longer has.
alter table users add column language text;
