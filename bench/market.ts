import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createSessions } from '#server/features/auth/sessions.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { createListener } from '#server/platform/db/listen.ts'
import { createLog } from '#server/platform/log.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'

/** A database of the bench: how many listings it holds, and where. */
export interface Market {
  readonly listings: number
  readonly url: string
}

export const members = 50_000

const migrations = join(import.meta.dirname, '..', 'server', 'migrations')

/** A random name as the server gives images: 128 bits in base64url. */
const imageName = (of: string) => `translate(encode(decode(md5(${of}), 'hex'), 'base64'), '+/=', '-_')`
const placeholder = `'data:image/webp;base64,' || rpad(encode(decode(md5(n::text) || md5('p' || n), 'hex'), 'base64'), 112, 'A')`
const hasImage = 'hashint8(n) & 1023 < 614'
const hasPicture = 'hashint8(n) & 1023 < 400'

/** $1 is how many members there are, $2 how many listings. Of 20 listings that follow each other, 17 are public. */
const rows = [
  `insert into images (name, width, height, placeholder, widths)
   select ${imageName(`'member ' || n`)}, 460, 460, ${placeholder}, '{96,460}'
   from generate_series(1, $1::bigint) n where ${hasPicture} and $2::bigint > 0`,
  `insert into users (id, username, email, password_hash, first_name, last_name, city, state, zip_code, picture_name)
   overriding system value
   select n, 'gardener_' || n, 'gardener_' || n || '@example.com', '-', 'Robin', 'Gardener', 'Portland', 'OR',
     lpad((n % 99999)::text, 5, '0'), case when ${hasPicture} then ${imageName(`'member ' || n`)} end
   from generate_series(1, $1::bigint) n where $2::bigint > 0`,
  `insert into friendships (low_id, high_id, requester_id, status)
   select n, n + distance, n, 'accepted'
   from generate_series(1, $1::bigint) n, (values (1), (17), (301)) as near (distance)
   where n + distance <= $1 and $2::bigint > 0`,
  `insert into images (name, width, height, placeholder, widths)
   select ${imageName(`'listing ' || n`)}, 1200, 900, ${placeholder}, '{160,320,640,1200}'
   from generate_series(1, $2::bigint) n where ${hasImage} and $1::bigint > 0`,
  `insert into listings (id, owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id, image_name, created_at, updated_at)
   overriding system value
   select n, 1 + floor(random() * $1::bigint), quality || ' ' || crop || measure,
     left(repeat('Grown without sprays in our back garden, picked the morning you come by. Bring a bag or a box. ', 7),
       (random() * random() * 640)::int),
     case when type_id = 1 then 0.5 + round((random() * 40)::numeric, 2) else 0 end,
     n % 20 <> 0, n % 20 between 1 and 17, type_id, 1, 1 + (hashint8(n + 7) & 2147483647) % 3,
     case when ${hasImage} then ${imageName(`'listing ' || n`)} end, at, at
   from (
     select n, 1 + floor(random() * 3)::int as type_id, now() - ($2::bigint - n) * interval '30 seconds' as at,
       (array['Fresh', 'Organic', 'Heirloom', 'Homegrown', 'Extra', 'Young'])[1 + floor(random() * 6)::int] as quality,
       (array['cherry tomatoes', 'zucchini', 'lemon balm', 'rhubarb crowns', 'runner bean seeds', 'garlic', 'Swiss chard', 'strawberry plants'])[1 + floor(random() * 8)::int] as crop,
       (array['', ', about two pounds', ' for your garden', ', a dozen'])[1 + floor(random() * 4)::int] as measure
     from generate_series(1, $2::bigint) n) as drawn`,
]

/**
 * Finds or makes the marketplaces of these sizes, which stay for the next run: a database is named after all that decides
 * what it holds, and gets that name when it is whole.
 */
export async function openMarkets<const Sizes extends readonly number[]>(
  clusterUrl: string,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<{ [Index in keyof Sizes]: Market }> {
  const key = await contentKey()
  const cluster = new pg.Client({ connectionString: clusterUrl })
  await cluster.connect()
  try {
    const { rows: found } = await cluster.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'market%'`,
    )
    const known = new Set(found.map(({ name }) => name))
    for (const name of known)
      if (!name.endsWith(key)) await cluster.query(`drop database ${name} with (force)`)

    const markets: Market[] = []
    for (const listings of sizes) {
      const name = `market_${listings}_${key}`
      if (!known.has(name)) {
        say(`Loading ${listings.toLocaleString('en')} listings.`)
        await cluster.query('drop database if exists loading with (force)')
        await cluster.query('create database loading')
        await fill(withName(clusterUrl, 'loading'), listings)
        await cluster.query(`alter database loading rename to ${name}`)
      }
      markets.push({ listings, url: withName(clusterUrl, name) })
    }
    return markets as { [Index in keyof Sizes]: Market }
  } finally {
    await cluster.end()
  }
}

async function contentKey(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(rows)).update(String(members))
  for (const file of (await readdir(migrations)).sort()) hash.update(await readFile(join(migrations, file)))
  return hash.digest('hex').slice(0, 12)
}

function withName(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}

async function fill(url: string, listings: number): Promise<void> {
  await prepareDatabase(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const insert of rows) await client.query(insert, [members, listings])
    await client.query('vacuum (analyze) images, users, friendships, listings')
  } finally {
    await client.end()
  }
}

/** Opens sessions of this many members, anew each run, and returns their tokens. */
export async function openSessions({ url }: Market, howMany: number): Promise<string[]> {
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 60_000 })
  try {
    await pool.query('truncate sessions')
    return await createDb<Tables>(pool)
      .transaction()
      .execute(async (tx) => {
        const sessions = createSessions(tx, createListener({ url, log: createLog('silent') }))
        const tokens: string[] = []
        for (let index = 0; index < howMany; index += 1)
          tokens.push(await sessions.open(1 + Math.floor((index * members) / howMany)))
        return tokens
      })
  } finally {
    await pool.end()
  }
}
