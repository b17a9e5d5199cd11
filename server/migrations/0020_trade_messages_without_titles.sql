-- The message that the server writes for a trade without a note named its listings, also after the operator had hidden them.
update messages m
set content = case t.kind when 'single' then 'I’d like this.' when 'swap' then 'Would you swap?' else 'I propose a ring.' end
from trades t
where m.trade_id = t.id and t.note is null;
