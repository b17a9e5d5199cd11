import pg from 'pg'
import { bestRings, findRings } from '#server/features/rings/rings.ts'
import { sampleOf } from '../sample.ts'
import { type BenchSetup, newDatabase, openDatabase, print } from '../setup.ts'

const listingsOfEach = 2
const wantsOfEach = 4
/** Matches of a want. A member has 20. */
const matchesOfWant = 5
/** Members match only within their town. */
const townSize = 2500
/** The matches before the measurement, so that plans and cached pages exist. */
const warmUp = 200

interface Size {
  readonly members: number
  readonly samples: number
}

/** Measures how long it takes to find the rings that a match completes, and to store and publish them. */
export async function measureSearch(setup: BenchSetup, { members, samples }: Size): Promise<void> {
  const url = await newDatabase(setup, `rings_${members}`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fill(client, members)
  const { rows: matches } = await client.query<{ want_id: number; listing_id: number; total: number }>(
    `select want_id::int, listing_id::int, count(*) over ()::int as total from matches
     order by md5(want_id || ' ' || listing_id) limit $1`,
    [warmUp + 2 * samples],
  )
  await client.end()
  const db = openDatabase(setup, url, 1)
  const ringCounts = { three: 0, four: 0 }
  const times = { finding: [] as number[], all: [] as number[] }
  for (const [index, match] of matches.entries()) {
    const from = performance.now()
    if (index < warmUp + samples) {
      const rings = await bestRings(db, match)
      if (index < warmUp) continue
      times.finding.push(performance.now() - from)
      for (const ring of rings) ringCounts[ring.members.length === 3 ? 'three' : 'four'] += 1
    } else {
      await findRings({ db, jobs: { add: async () => {} }, realtime: { publish: () => {} } }, match)
      times.all.push(performance.now() - from)
    }
  }
  const format = (times: number[]) => {
    const { p50, p99 } = sampleOf(0, times)
    return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  }
  const total = (matches[0]?.total ?? 0).toLocaleString('en')
  const measured = times.finding.length
  print(`${total} matches of ${members.toLocaleString('en')} members:`)
  print(`  finding the best rings of a match: ${format(times.finding)}; aim: p99 at most 20 ms`)
  print(`  finding, storing and publishing: ${format(times.all)}`)
  print(
    `  a match completes ${(ringCounts.three / measured).toFixed(2)} rings of three and ${(ringCounts.four / measured).toFixed(2)} of four`,
  )
}

/** Inserts towns of members who offer exchanges, with random matches within the town. */
async function fill(client: pg.Client, members: number): Promise<void> {
  const town = Math.min(townSize, members)
  const listings = town * listingsOfEach
  await client.query('select setseed(0.22)')
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name, postal_code_id)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener', 97202
     from generate_series(1, ${members}) n`,
  )
  await client.query(
    `insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
     select 1 + n / ${listingsOfEach}, 'Seeds ' || n, '', 0, true, true, 2, 1
     from generate_series(0, ${members * listingsOfEach - 1}) n`,
  )
  await client.query(
    `insert into wants (user_id, title) select 1 + n / ${wantsOfEach}, 'Seeds ' || n
     from generate_series(0, ${members * wantsOfEach - 1}) n`,
  )
  await client.query(
    `insert into matches (want_id, listing_id, user_id, owner_id, kind, reason)
     select w.id, l.id, w.user_id, l.owner_id, 'same', 'Both are seeds'
     from (
       select id, user_id, (user_id - 1) / ${town} * ${listings} + 1 + floor(random() * ${listings})::int as listing_id
       from wants cross join generate_series(1, ${matchesOfWant})
     ) w
     join listings l on l.id = w.listing_id and l.owner_id <> w.user_id
     on conflict do nothing`,
  )
  await client.query(
    `update matches m set is_swap = true
     where exists (select from matches o where o.user_id = m.owner_id and o.owner_id = m.user_id)`,
  )
  await client.query('vacuum analyze')
}
