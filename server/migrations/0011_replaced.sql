-- outside a transaction
-- notifications_created stands in for it, at a fraction of what each notification cost to enter here.
drop index concurrently if exists notifications_age
