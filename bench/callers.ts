import pg from 'pg'
import { limits } from '#contract/constants.ts'
import { placesWithin } from '#server/features/places/places.ts'
import { type Market, openSessionsOf, prolificMember, sociable, sociableMember, town } from './market.ts'
import { type Callers, radii } from './questions.ts'
import { say } from './stage.ts'

const ofAKind = 100
/** Of so many members, none of the town, it is looked at what is around them. */
const everyMember = 10

/** A session of each of a hundred members of each kind. */
export type Tokens = Readonly<Record<Callers, readonly string[]>>

export async function callersOf(market: Market): Promise<Tokens> {
  const client = new pg.Client({ connectionString: market.url })
  await client.connect()
  try {
    const { rows: inTown } = await client.query<{ id: string }>(
      'select id from users where place = $1 order by id limit $2',
      [town, ofAKind],
    )
    const kinds: [Callers, number[]][] = [
      ['sociable', Array.from({ length: sociable.members }, (_, index) => sociableMember(index))],
      ['prolific', Array.from({ length: ofAKind }, (_, index) => prolificMember(index * 2))],
      ['town', inTown.map(({ id }) => Number(id))],
      ...(await callersAround(client, market)),
    ]
    const ids = [...new Set(kinds.flatMap(([, ids]) => ids))]
    const tokens = await openSessionsOf(market, ids)
    const tokenOf = new Map(ids.map((id, index) => [id, tokens[index] ?? '']))
    return Object.fromEntries(
      kinds.map(([kind, ids]) => [kind, ids.map((id) => tokenOf.get(id) ?? '')]),
    ) as Record<Callers, string[]>
  } finally {
    await client.end()
  }
}

/** So much is around those with hardly anybody around: about two pages, whatever the market. */
const lonely = 2 * limits.page.size

/** The same rule in each market, by how much is listed around: where that is less than a page, markets can't be compared. */
async function callersAround(client: pg.Client, market: Market): Promise<[Callers, number[]][]> {
  const { rows: members } = await client.query<{ id: string; place: number }>(
    'select id, place from users where id % $1 = 2 order by id',
    [everyMember],
  )
  const { rows: counts } = await client.query<{ place: number; listed: string }>(
    'select place, count(*) as listed from listings where is_public and is_active group by place',
  )
  const listedAt = new Map(counts.map(({ place, listed }) => [place, Number(listed)]))
  return radii.flatMap((radius) => {
    const full = members
      .map(({ id, place }) => {
        const around = placesWithin(place, radius).reduce((sum, near) => sum + (listedAt.get(near) ?? 0), 0)
        return { id: Number(id), around }
      })
      .filter(({ around }) => around > limits.page.size)
    const anywhere = full
      .filter((_, index) => index % Math.floor(full.length / ofAKind) === 0)
      .slice(0, ofAKind)
    const fromLonely = ({ around }: { around: number }) => Math.abs(around - lonely)
    const remote = full.toSorted((a, b) => fromLonely(a) - fromLonely(b)).slice(0, ofAKind)
    say(
      `${market.listings.toLocaleString('en')}, within ${radius} miles: anywhere ${range(anywhere)}, remote ${range(remote)} listings.`,
    )
    return [
      [`anywhere ${radius}` as const, anywhere.map(({ id }) => id)],
      [`remote ${radius}` as const, remote.map(({ id }) => id)],
    ] satisfies [Callers, number[]][]
  })
}

function range(callers: readonly { readonly around: number }[]): string {
  const around = callers.map(({ around }) => around)
  return `${Math.min(...around)}–${Math.max(...around)}`
}
