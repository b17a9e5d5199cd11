-- outside a transaction
-- Serves updateSwaps: with whom a member can swap already.
create index concurrently if not exists matches_swaps on matches (owner_id, user_id) where is_swap
