-- outside a transaction
-- Serves deleteOldNotifications: they come in the order of their time, so what each part of the table holds tells enough.
create index concurrently if not exists notifications_created on notifications using brin (created_at)
