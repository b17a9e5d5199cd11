import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Holds back the jobs that match listings. They are still added. */
export function pauseMatchJobs(url: string): Promise<unknown> {
  return withClient(url, (client) =>
    client.query(`
      create or replace function hold_back() returns trigger language plpgsql as $$
      begin
        new.start_after := now() + interval '1 day';
        return new;
      end $$;
      create trigger hold_back before insert on jobs.job for each row when (new.name = 'match-listing') execute function hold_back()`),
  )
}

/** Deletes the jobs that were held back. */
export function deletePausedJobs(url: string): Promise<unknown> {
  return withClient(url, (client) =>
    client.query(
      `drop trigger hold_back on jobs.job; delete from jobs.job where start_after > now() + interval '1 hour'`,
    ),
  )
}

/** Waits until no job of these kinds (or none at all) is waiting or running. */
export function jobsDone(url: string, kinds?: readonly string[]): Promise<void> {
  return withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ open: boolean }>(
        `select exists (select from jobs.job where state in ('created', 'active') and start_after <= clock_timestamp()
           and name not like '\\_\\_%' and ($1::text[] is null or name = any ($1))) as open`,
        [kinds ?? null],
      )
      if (!rows[0]?.open) return
      await sleep(100)
    }
  })
}
