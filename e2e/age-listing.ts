import { expect } from '@playwright/test'
import type pg from 'pg'
import { withDatabase } from './database.ts'

/** Moves the end of a listing some days closer, and runs the jobs that the server runs every minute. */
export function ageListing(listing: number, days: number) {
  return withDatabase(async (client) => {
    await client.query(
      `update listings set expires_at = expires_at - make_interval(secs => $2), remind_at = remind_at - make_interval(secs => $2)
       where id = $1`,
      [listing, days * 24 * 60 * 60],
    )
    // The job of the reminders skips rows that the other job has locked.
    await runJob(client, 'end-listings')
    await runJob(client, 'remind-owners')
  })
}

/** Adds a job to the server's queue, notifies the workers like `pg-boss`, and waits until it has run. */
async function runJob(client: pg.Client, name: string) {
  const { rows } = await client.query<{ id: string }>(
    `with job as (insert into jobs.job (name, data) values ($1, '{}') returning id, name)
     select id, pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), name) from job`,
    [name],
  )
  await expect
    .poll(async () => (await client.query('select state from jobs.job where id = $1', [rows[0]?.id])).rows, {
      intervals: [50],
    })
    .toEqual([{ state: 'completed' }])
}
