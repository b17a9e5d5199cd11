import pg from 'pg'
import type { OwnCore } from '../cores.ts'
import { openSessionsOf } from '../market.ts'
import type { Samples } from '../report.ts'
import type { Sample } from '../sample.ts'
import { runHttp, startServer } from '../server.ts'
import { runRounds } from '../setup.ts'

const partners = 5
const seconds = 2
const connections = 16

const lists = {
  'thread list': '/api/messages/threads',
  'unread count': '/api/messages/unread-count',
} as const

/**
 * Measures a member's thread list and badge with few and with many messages per conversation, alternating. Returns the samples by list
 * and number of messages.
 */
export async function measureThreadLists(
  urls: ReadonlyMap<number, string>,
  ownCore: OwnCore,
  rounds: number,
): Promise<Samples> {
  await using stack = new AsyncDisposableStack()
  const runs: [string, (seconds: number) => Promise<Sample>][] = []
  for (const [messageCount, url] of urls) {
    const token = await fill(url, messageCount)
    const server = await startServer(url, ownCore)
    stack.defer(() => server.stop())
    for (const [name, path] of Object.entries(lists))
      runs.push([
        `${name} of ${messageCount.toLocaleString('en')}`,
        (seconds) => runHttp(() => path, server, [token], { connections, seconds }),
      ])
  }
  const inOrder = runs.sort(([one], [other]) => (one < other ? -1 : 1))
  return await runRounds(Object.fromEntries(inOrder), { rounds, seconds, warmUpSeconds: seconds })
}

/** Creates conversations of the first member with all others, in which half of the messages are unread. Returns the member's token. */
async function fill(url: string, messageCount: number): Promise<string> {
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
      [messageCount, partners],
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
    await client.query('vacuum analyze')
    const [token = ''] = await openSessionsOf({ url }, [1])
    return token
  } finally {
    await client.end()
  }
}
