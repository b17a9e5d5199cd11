-- Every suspended member can appeal, also one whom a command of the shell has suspended without a reason.
insert into suspensions (user_id, rule, reason)
select id, 'other', '' from users where suspended_at is not null
on conflict (user_id) do nothing;
