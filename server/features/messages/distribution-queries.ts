import { sql } from 'kysely'
import { rowStatement } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'

/** Returns whether the database has Citus. */
export const findCluster = rowStatement<[], { has_citus: boolean }>(
  `select to_regproc('create_distributed_table') is not null as has_citus`,
)

export interface ClusterState {
  /** The servers that store shards. */
  workers: number
  is_distributed: boolean
}

/** Returns the state of a coordinator. */
export const findClusterState = rowStatement<[], ClusterState>(
  `select (select count(*) from pg_dist_node where isactive and shouldhaveshards) as workers,
     (select count(*) = 2 from pg_dist_partition where logicalrelid in ('messages'::regclass, 'threads'::regclass)) as is_distributed`,
)

/** Locks both tables, and returns the numbers of their rows. */
export async function lockTables(tx: Tx): Promise<Record<'messages' | 'threads', number>> {
  await sql`lock table messages, threads in access exclusive mode`.execute(tx)
  const count = async (table: 'messages' | 'threads') =>
    (
      await tx
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows
  return { messages: await count('messages'), threads: await count('threads') }
}

/**
 * Gives the tables the keys of a cluster: unique keys contain the distribution key, and there are no foreign keys, triggers and identity
 * columns. Removes what only the previous release needs. The ids go on where they were.
 */
export async function updateKeys(tx: Tx): Promise<void> {
  await sql`
    do $$ begin
      drop trigger if exists set_conversation on messages;
      drop function if exists set_conversation();
      drop index if exists messages_conversation;
      alter table threads drop constraint if exists threads_member_id_fkey;
      alter table images drop constraint if exists images_message_id_fkey;
      alter table reports drop constraint if exists reports_message_id_fkey;
      alter table messages drop constraint messages_pkey, add primary key (low_id, id);
      drop index messages_client;
      create unique index messages_client on messages (low_id, sender_id, client_id);
      create index messages_sender on messages (sender_id);
      create sequence messages_new_id_seq;
      perform setval('messages_new_id_seq', nextval(pg_get_serial_sequence('messages', 'id')));
      alter table messages alter column id drop identity;
      alter table messages alter column id set default nextval('messages_new_id_seq');
      alter sequence messages_new_id_seq owned by messages.id;
      alter sequence messages_new_id_seq rename to messages_id_seq;
    end $$`.execute(tx)
}

/** Moves the rows to the workers. */
export async function distributeTables(tx: Tx): Promise<void> {
  await sql`select create_distributed_table('messages', 'low_id')`.execute(tx)
  await sql`select create_distributed_table('threads', 'member_id')`.execute(tx)
}

/** Deletes the coordinator's copies of the rows, which stay there when a table is distributed. */
export async function truncateLocalRows(db: Db): Promise<void> {
  for (const table of ['messages', 'threads'])
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db)
}
