-- When the giver's silence confirms that the taker has the listing: null before the taker says so, and after the giver's answer.
alter table trade_legs add column confirm_at timestamptz;
-- Serves listUnconfirmed.
create index if not exists trade_legs_confirm on trade_legs (confirm_at) where confirm_at is not null;
