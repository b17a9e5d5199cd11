import pg from 'pg'

/** The schemas of Rhubarb and of the job queue. */
export const schemas = ['public', 'jobs'] as const

/** Tables of migrations, of backups and of the job queue's statistics, which are not part of a backup. */
const excludedTables = new Set([
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.newest_backup',
  'jobs.version',
  'jobs.bam',
  'jobs.warning',
  'jobs.queue_stats',
])

/** Returns whether a restore replaces the rows of a table. */
export function isReplaced({ schema, name }: { schema: string; name: string }): boolean {
  return !excludedTables.has(`${schema}.${name}`)
}

/** Returns whether a table is in a backup. Rate limits and other unlogged tables are not: a restore empties them. */
export function isBackedUp(table: { schema: string; name: string; is_logged: boolean }): boolean {
  return table.is_logged && isReplaced(table)
}

/** Opens a connection without timeouts and with fixed formats of values. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'rhubarb backup', keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
     set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1`,
  )
  return client
}
