-- Round kilometres are not whole miles.
alter table users alter column match_radius type double precision;
