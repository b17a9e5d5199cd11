import { expect } from '@playwright/test'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { openConfiguredDatabase } from '#server/configured-data.ts'

/** Moves the end of a listing some days closer, and runs the jobs that the server runs every minute. */
export async function ageListing(listing: number, days: number) {
  // biome-ignore lint/style/noProcessEnv: global-setup.ts sets it
  const { RHUBARB_DATA: dataDir = '', RHUBARB_DATABASE = '' } = process.env
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: RHUBARB_DATABASE })
  await using database = await openConfiguredDatabase(config)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(
      `update listings set expires_at = expires_at - make_interval(secs => $2), remind_at = remind_at - make_interval(secs => $2)
       where id = $1`,
      [listing, days * 24 * 60 * 60],
    )
    // The job of the reminders skips rows that the other job has locked.
    await runJob(client, 'end-listings')
    await runJob(client, 'remind-owners')
  } finally {
    await client.end()
  }
}

/** Adds a job to the server's queue and waits until it has run. */
async function runJob(client: pg.Client, name: string) {
  const { rows } = await client.query<{ id: string }>(
    `insert into jobs.job (name, data) values ($1, '{}') returning id`,
    [name],
  )
  await expect
    .poll(async () => (await client.query('select state from jobs.job where id = $1', [rows[0]?.id])).rows)
    .toEqual([{ state: 'completed' }])
}
