// `npm run bench:fan-out`: measures a listing that fits 50,000 wants, and the delay of other jobs meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { requestPasswordReset } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { createWant } from '#contract/wants.ts'
import { matchListing } from '#server/features/matches/job-kinds.ts'
import { deliverDue, sendMail } from '#server/features/notifications/scheduling.ts'
import { Actor } from '#test/actor.ts'
import { openSessionsOf } from '../market.ts'
import { sampleOf } from '../sample.ts'
import { startServer } from '../server.ts'
import { type BenchSetup, optionsOf, print, withBenchSetup } from '../setup.ts'
import { createWantDatabase, otherCrops, rareCrop } from './database.ts'
import { jobsDone } from './waiting.ts'

const values = optionsOf({
  wants: '50000',
  /** The number of members with unique wants. */
  others: '300',
})
const matchingWants = Number(values.wants)
const others = Number(values.others)
const pauseMs = 500

async function bench(setup: BenchSetup): Promise<void> {
  const { ownCore, stack } = setup
  const size = { wants: matchingWants, members: matchingWants, owners: 2 + others, matchingWants }
  const database = await createWantDatabase(setup, 'fan_out', size)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  stack.defer(() => client.end())
  const server = await startServer(database.url, ownCore)
  stack.defer(() => server.stop())
  const ids = Array.from({ length: database.owners }, (_, index) => database.members + index + 1)
  const [popularOwner, poster, ...interestedMembers] = (await openSessionsOf(database, ids)).map((token) =>
    Object.assign(new Actor(server.url), { token }),
  )
  if (!popularOwner || !poster) throw new Error('Missing sessions')
  const crops = otherCrops().slice(0, others)
  for (const [index, title] of crops.entries())
    await interestedMembers[index]?.call(createWant, { body: { title } })

  for (const turn of ['first', 'second']) {
    const { rows: from } = await client.query<{ now: string }>('select now()::text')
    const since = from[0]?.now ?? ''
    const begin = performance.now()
    await popularOwner.call(createListing, { body: { title: `Okra for all, the ${turn}`, type_id: 3 } })
    const seconds = () => ((performance.now() - begin) / 1000).toFixed(1)

    const all = jobsDone(
      database.url,
      [matchListing, deliverDue, sendMail].map(({ name }) => name),
    )
    const over = new AbortController()
    const meanwhile = actAsOthers(poster, crops, over.signal)
    await jobsDone(database.url, [matchListing.name])
    print(`The ${turn} listing: all matches are stored after ${seconds()} s`)
    await all
    over.abort()
    const { posts } = await meanwhile
    await jobsDone(database.url)
    print(`and all mails are sent after ${seconds()} s`)
    print(
      `${posts.length} others posted meanwhile, p50 ${figure(posts, 'p50')} ms, p99 ${figure(posts, 'p99')} ms`,
    )
    await reportWaits(client, since, database.members)
  }
  await check(client)
}

/**
 * Acts as other members while the matches are found: posts listings that match a single want, which sends a mail, and requests
 * password resets.
 */
async function actAsOthers(poster: Actor, crops: string[], over: AbortSignal): Promise<{ posts: number[] }> {
  const posts: number[] = []
  const guest = new Actor(poster.server)
  while (!over.aborted) {
    const from = performance.now()
    await poster.call(createListing, { body: { title: crops.shift() ?? 'Old bricks', type_id: 3 } })
    posts.push(performance.now() - from)
    await guest.call(requestPasswordReset, { body: { email: 'member1@example.com' } })
    await sleep(pauseMs)
  }
  return { posts }
}

/** Prints the waiting times and durations of the jobs of the matched members, of the listing and of others. */
async function reportWaits(client: pg.Client, since: string, members: number): Promise<void> {
  const { rows } = await client.query<{ name: string; waited: number[]; took: number[] }>(
    `select name || case when (data->>'user_id')::bigint > $2 + 1 then ', others' else '' end as name,
       array_agg(1000 * extract(epoch from started_on - created_on))::float8[] as waited,
       array_agg(1000 * extract(epoch from completed_on - started_on))::float8[] as took
     from jobs.job where created_on >= $1::timestamptz and completed_on is not null and name not like '\\_\\_%'
     group by 1 order by 1`,
    [since, members],
  )
  print('| Job | count | waited p50 ms | p99 ms | took p50 ms | p99 ms |\n|---|--:|--:|--:|--:|--:|')
  for (const { name, waited, took } of rows) {
    const cells = [figure(waited, 'p50'), figure(waited, 'p99'), figure(took, 'p50'), figure(took, 'p99')]
    print(`| ${name} | ${waited.length} | ${cells.join(' | ')} |`)
  }
}

/** Throws unless all members got both notifications and at most one mail. */
async function check(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    matches: number
    notifications: number
    mails: number
    maxMails: number
  }>(
    `select (select count(*)::int from matches m join wants w on w.id = m.want_id where w.title = $1 and m.fits) as matches,
       (select count(*)::int from notifications n join wants w on w.id = n.want_id where w.title = $1) as notifications,
       (select count(*)::int from jobs.job where name = 'send-notification-mail' and state = 'completed') as mails,
       (select coalesce(max(mails), 0)::int from (select count(*) as mails from jobs.job where name = 'send-notification-mail' group by data) m) as "maxMails"`,
    [rareCrop],
  )
  const [found] = rows
  print(JSON.stringify(found))
  if (found?.matches !== 2 * matchingWants || found.notifications !== 2 * matchingWants)
    throw new Error('Some members did not get both notifications')
  if (found.maxMails > 1) throw new Error('Some members got two mails at once')
}

function figure(times: readonly number[], which: 'p50' | 'p99'): string {
  return sampleOf(0, times)[which].toFixed(0)
}

await withBenchSetup(30, bench)
