import pg from 'pg'

/** The schemas of Rhubarb and of the job queue. */
export const schemas = ['public', 'jobs'] as const

/** Tables of migrations and of the job queue's statistics, which are not part of a backup. */
const excludedTables = new Set([
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'jobs.version',
  'jobs.bam',
  'jobs.warning',
  'jobs.queue_stats',
])

export function isBackedUp({ schema, name }: { schema: string; name: string }): boolean {
  return !excludedTables.has(`${schema}.${name}`)
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
