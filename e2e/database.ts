import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { openConfiguredDatabase } from '#server/configured-data.ts'
import type { Account } from './fixtures.ts'

/** Runs statements on the database of the running server. */
export async function withDatabase<Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  // biome-ignore lint/style/noProcessEnv: global-setup.ts sets it
  const { RHUBARB_DATA: dataDir = '', RHUBARB_DATABASE = '' } = process.env
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: RHUBARB_DATABASE })
  await using database = await openConfiguredDatabase(config)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Inserts giveaways with the titles `${title} 1` to `${title} ${count}`. They have no index terms, so no search finds them. */
export function insertListings(
  { actor }: Account,
  title: string,
  count: number,
  { is_public = true, category_id = null }: { is_public?: boolean; category_id?: number | null } = {},
) {
  return withDatabase((client) =>
    client.query(
      `insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
       select $1::bigint, $2::text || ' ' || n, '', 0, true, $3::boolean, 3, 1, $4::smallint from generate_series(1, $5::int) n`,
      [actor.id, title, is_public, category_id, count],
    ),
  )
}

/** Inserts messages with the texts `Row 1 is watered` and so on. The next message that is sent makes the thread appear in lists. */
export function insertMessages(sender: Account, receiver: Account, count: number) {
  return withDatabase((client) =>
    client.query(
      `insert into messages (sender_id, receiver_id, content, client_id)
       select $1::bigint, $2::bigint, 'Row ' || n || ' is watered', gen_random_uuid() from generate_series(1, $3::int) n`,
      [sender.actor.id, receiver.actor.id, count],
    ),
  )
}
