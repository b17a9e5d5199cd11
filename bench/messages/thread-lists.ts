import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { OwnCore } from '../cores.ts'
import type { Sample } from '../sample.ts'
import { runHttp, type ServerProcess, startServer } from '../server.ts'

const partners = 5
const seconds = 2
const connections = 16

const lists = {
  'thread list': '/api/messages/threads',
  'unread count': '/api/messages/unread-count',
} as const

/**
 * What a member's thread list and badge take when their few conversations hold few messages, and when they hold
 * many: samples by list and by how many, in turns.
 */
export async function measureThreadLists(
  urls: ReadonlyMap<number, string>,
  folder: string,
  ownCore: OwnCore,
  rounds: number,
): Promise<Map<string, Sample[]>> {
  await using stack = new AsyncDisposableStack()
  const servers: { howMany: number; server: ServerProcess; token: string }[] = []
  for (const [howMany, url] of urls) {
    const token = await fill(url, howMany)
    const server = await startServer({ listings: 0, url }, folder, ownCore)
    stack.defer(() => server.stop())
    servers.push({ howMany, server, token })
  }
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, path] of Object.entries(lists)) {
      for (const { howMany, server, token } of servers) {
        const sample = await runHttp({ path: () => path }, server, [token], { connections, seconds })
        const key = `${name} of ${howMany.toLocaleString('en')}`
        // The first round warms up.
        if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample])
      }
    }
  }
  return samples
}

/** The first member talks with all others, who have had no answer yet to their half of the messages. Returns the member's token. */
async function fill(url: string, howMany: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into users (username, email, password_hash, first_name, last_name)
       select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener' from generate_series(1, $1::int) n`,
      [partners + 1],
    )
    await client.query(
      `insert into messages (sender_id, receiver_id, content, client_id)
       select case when n % 2 = 0 then 1 else partner end, case when n % 2 = 0 then partner else 1 end,
         n || ' Do you still have some of the rhubarb you listed? I could come by on Saturday morning.', gen_random_uuid()
       from (select n, 2 + (n / 2) % $2::int as partner from generate_series(0, $1::int - 1) n) drawn`,
      [howMany, partners],
    )
    await client.query(
      `insert into threads (member_id, partner_id, last_message_id, unread_count, unread_since)
       select member_id, partner_id, max(id), sum(unread), now()
       from (
         select sender_id as member_id, receiver_id as partner_id, id, 0 as unread from messages
         union all
         select receiver_id, sender_id, id, 1 from messages
       ) sides group by member_id, partner_id`,
    )
    await client.query(
      `insert into sessions (token_hash, user_id, expires_at) values ($1, 1, now() + interval '1 day')`,
      [createHash('sha256').update(token).digest()],
    )
    await client.query('vacuum analyze')
    return token
  } finally {
    await client.end()
  }
}
