-- Members who never chose a radius have the default one, so null in `match_radius` alone no longer means anywhere. The previous release
-- does not know the column: who chooses anywhere there has the default radius here until they choose again.
alter table users add column match_anywhere boolean not null default false;
