-- True if the desk has withdrawn messages of the partner from the member. Browsers that keep the conversation then drop them.
alter table threads add column has_withdrawn boolean not null default false;
-- Serves listWithdrawnSenders.
create index threads_withdrawn on threads (member_id, partner_id) where has_withdrawn;
