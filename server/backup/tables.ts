import pg from 'pg'

/** Ours, and the job queue's. */
export const schemas = ['public', 'jobs'] as const

/** Tables of migrations and of the job queue's statistics. */
const ownAffairs = new Set([
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'jobs.version',
  'jobs.bam',
  'jobs.warning',
  'jobs.queue_stats',
])

export function isKept({ schema, name }: { schema: string; name: string }): boolean {
  return !ownAffairs.has(`${schema}.${name}`)
}

/** A connection that may take its time, and writes everything as any other reads it. */
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
