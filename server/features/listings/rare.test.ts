import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { byDistance, placesOutward, placesWithin } from '#server/features/places/places.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'
import { fileWhatIsNot } from './search.ts'

// A market in which what is asked for is one in hundreds: more candidates than a request looks at.
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')
await ann.call(updateProfile, { body: { zip_code: '97214' } })
const home = 97214
/** Seven places, the sixth in Seattle, the last nowhere. */
const places = [97214, 97215, 97206, 97045, 97301, 98101, 0]
await sql`
  insert into users (username, email, password_hash, first_name, last_name, place)
  select 'member_' || n, 'member' || n || '@example.com', 'x', 'M', 'G', (${places}::int[])[1 + n % 7]
  from generate_series(1, 70) n`.execute(world.db)
await sql`
  insert into friendships (low_id, high_id, requester_id, status)
  select ${ann.id}, id, id, 'accepted' from users where id <> ${ann.id} and id % 2 = 0`.execute(world.db)
await sql`
  insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id)
  select (select min(id) from users where id > ${ann.id}) + n * 7919 % 70,
    case when n % 300 = 7 then 'Rare medlar' when n % 2 = 0 then 'Common kale' when n % 300 = 9 then 'Soil' else 'Bean' end,
    case when n % 2 = 1 then 'In good soil' else '' end,
    case when n % 3 = 0 then 1 + n % 50 else 0 end, n % 97 > 0, n % 43 > 0, case when n % 3 = 0 then 1 when n % 701 = 1 then 2 else 3 end, 1,
    case when n % 901 = 5 then 2 end
  from generate_series(1, 9000) n`.execute(world.db)
await sql`update listings set hidden_at = now() where title = 'Common kale' and type_id = 1 and id % 11 > 0`.execute(
  world.db,
)
await fileWhatIsNot(world.db)
await sql`analyze`.execute(world.db)

interface Row {
  readonly id: number
  readonly price: number
  readonly place: number
  readonly type_id: number
  readonly category_id: number | null
  readonly title: string
  readonly description: string
  readonly owner_id: number
  readonly is_active: boolean
  readonly is_public: boolean
  readonly hidden_at: unknown
}
const market = await world.db
  .selectFrom('listings')
  .select(['id', 'price', 'place', 'type_id', 'category_id', 'title', 'description', 'owner_id', 'is_active'])
  .select(['is_public', 'hidden_at'])
  .orderBy('id', 'desc')
  .execute()
const inOrder = [...byDistance(home, places), 0]
const near = new Set([...placesWithin(home, 20), 0])
const turn = ({ place }: Row) => inOrder.indexOf(place)
const isFriend = ({ owner_id }: Row) => owner_id % 2 === 0
const isBarter = ({ type_id }: Row) => type_id === types.exchange
const isMedlar = ({ title }: Row) => title === 'Rare medlar'
const byPrice = (a: Row, b: Row) => Number(a.price === 0) - Number(b.price === 0) || a.price - b.price

test.each<[query: string, passes: (row: Row) => boolean, order?: (a: Row, b: Row) => number]>([
  ['public=true&type_id=2', isBarter],
  ['type_id=2&sort=oldest', isBarter, (a, b) => a.id - b.id],
  ['public=true&category_id=2&type_id=3&sort=highest', (row) => row.category_id === 2 && row.type_id === 3],
  ['public=true&category_id=2&sort=lowest', ({ category_id }) => category_id === 2, byPrice],
  ['public=true&type_id=1&min_price=50&max_price=50', ({ price }) => price === 50],
  ['public=true&type_id=2&sort=nearest', isBarter, (a, b) => turn(a) - turn(b)],
  ['public=true&type_id=2&near=20', (row) => isBarter(row) && near.has(row.place)],
  [
    'public=true&category_id=2&near=20&sort=lowest',
    (row) => row.category_id === 2 && near.has(row.place),
    byPrice,
  ],
  ['friends=true&type_id=2', (row) => isFriend(row) && isBarter(row)],
  ['friends=true&category_id=2&sort=lowest', (row) => isFriend(row) && row.category_id === 2, byPrice],
  [
    'friends=true&type_id=2&sort=nearest',
    (row) => isFriend(row) && isBarter(row),
    (a, b) => turn(a) - turn(b),
  ],
  ['public=true&q=medlar', isMedlar],
  ['public=true&q=medlar&sort=oldest', isMedlar, (a, b) => a.id - b.id],
  ['q=medlar&sort=lowest', isMedlar, byPrice],
  ['public=true&q=kale&type_id=2', (row) => row.title === 'Common kale' && isBarter(row)],
  [
    'public=true&q=kale&category_id=2&sort=lowest',
    (row) => row.title === 'Common kale' && row.category_id === 2,
    byPrice,
  ],
  [
    'public=true&q=kale&type_id=2&near=20',
    (row) => row.title === 'Common kale' && isBarter(row) && near.has(row.place),
  ],
  [
    'public=true&q=kale&type_id=2&near=20&sort=oldest',
    (row) => row.title === 'Common kale' && isBarter(row) && near.has(row.place),
    (a, b) => a.id - b.id,
  ],
  // Of those most are hidden, which is known only when everything around has been looked at.
  [
    'public=true&q=kale&type_id=1&min_price=40&near=20',
    (row) => row.title === 'Common kale' && row.price >= 40 && near.has(row.place),
  ],
  // Hardly any of those says so in its title.
  [
    'public=true&q=soil&type_id=2&near=20',
    (row) => row.description !== '' && isBarter(row) && near.has(row.place),
    (a, b) => Number(b.title === 'Soil') - Number(a.title === 'Soil'),
  ],
  [
    'public=true&q=kale&type_id=2&sort=nearest',
    (row) => row.title === 'Common kale' && isBarter(row),
    (a, b) => turn(a) - turn(b),
  ],
  ['friends=true&q=kale&type_id=2', (row) => isFriend(row) && row.title === 'Common kale' && isBarter(row)],
])('nothing rare is lost or comes twice, however many pages are short: %s', async (query, passes, order) => {
  const pages = await ann.pages<Listing>(`/api/listings?${query}&limit=5`)
  const found = pages.flat().map(({ id }) => id)
  const short = pages.slice(0, -1).filter((page) => page.length < 5).length
  const isSeen = (row: Row) =>
    row.is_active && row.hidden_at === null && (row.is_public || (!query.includes('public') && isFriend(row)))
  const expected = market.filter((row) => isSeen(row) && passes(row))
  if (order) expected.sort(order)
  expect(expected.length).toBeGreaterThan(0)
  expect(found).toEqual(expected.map(({ id }) => id))
  expect(short).toBeLessThan(40)
})

test('nor where things are listed at more places than are gone through one by one', async () => {
  const scattered = [...placesOutward(home)].flat().filter((_, nth) => nth % 60 === 59)
  const rare = scattered.filter((_, nth) => nth % 40 === 7)
  await sql`
    insert into users (username, email, password_hash, first_name, last_name, place)
    select 'far_' || place, 'far' || place || '@example.com', 'x', 'F', 'G', place from unnest(${scattered}::int[]) place`.execute(
    world.db,
  )
  await sql`
    insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
    select id, 'Far bean', '', 0, true, true, case when place = any (${rare}::int[]) then 2 else 3 end, 1
    from users where username like 'far\\_%'`.execute(world.db)
  const pages = await ann.pages<Listing>('/api/listings?public=true&type_id=2&sort=nearest&limit=5')
  await sql`delete from users where username like 'far\\_%'`.execute(world.db)

  const far = pages.flat().filter(({ title }) => title === 'Far bean')
  expect(far.map(({ owner_username }) => owner_username)).toEqual(rare.map((place) => `far_${place}`))
  const others = pages.flat().filter(({ title }) => title !== 'Far bean')
  const expected = market.filter((row) => isBarter(row) && row.is_active && row.is_public)
  expect(others.map(({ id }) => id)).toEqual(
    expected.toSorted((a, b) => turn(a) - turn(b)).map(({ id }) => id),
  )
  expect(pages.length).toBeLessThan(60)
})

test('of what is rare, something is not for all and something is put away', () => {
  const medlars = market.filter(isMedlar)
  expect(medlars.filter((row) => !row.is_public && !isFriend(row) && row.is_active)).not.toEqual([])
  expect(medlars.filter((row) => row.is_public && !row.is_active)).not.toEqual([])
})

test('how common a word is is counted once, and a word that hardly anything has each time', async () => {
  const counts = async (q: string) => {
    using statements = recordStatements()
    await ann.send('GET', `/api/listings?q=${q}`)
    return statements.sent().filter(({ text }) => text.includes('count(*)')).length
  }
  await counts('kale+medlar')
  expect(await counts('kale')).toBe(0)
  expect(await counts('medlar')).toBe(1)
})
