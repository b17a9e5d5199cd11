import type { Deps } from '#server/deps.ts'
import { byDistance, nearestPlaces, nowhere, placesOutward } from '#server/features/places/places.ts'
import { atHome, type Position } from './orders.ts'
import { type FriendRow, listInhabitedPlaces, listPlacesWith } from './queries.ts'
import { mostByRow } from './search.ts'
import { gatheredByPlace, memberByMember, placeByPlace, type Walk } from './walks.ts'

/** So many places around hold a page wherever people live close together; where they don't, there are so many more. */
const firstPlaces = 256
const furtherPlaces = 2048
/** A market at no more places than these is walked from one to the next, however far apart they are. */
const fewInhabited = 500

/** The ways to read all listings the nearest first, and last those that are nowhere. */
export function nearestOverall(
  db: Deps['db'],
  from: number,
  within: readonly number[] | undefined,
  rareTerms: readonly string[] | undefined,
): (() => Promise<Walk>)[] {
  if (rareTerms)
    return [
      async () => {
        const places = await listPlacesWith(db, rareTerms, mostByRow)
        return gatheredByPlace((after) => onward(from, places, after), rareTerms, mostByRow)
      },
    ]
  if (within) return [async () => placeByPlace((after) => onward(from, within, after))]
  return [
    async () => outward(from, firstPlaces),
    async () => {
      const inhabited = await listInhabitedPlaces(db, fewInhabited)
      return inhabited
        ? placeByPlace((after) => onward(from, inhabited, after))
        : outward(from, furtherPlaces)
    },
  ]
}

/** The places from a position on, the nearest first, and nowhere at the end. */
function onward(from: number, places: readonly number[], after: Position): number[] {
  if (after.key === nowhere) return [nowhere]
  const known = new Set(places)
  known.delete(nowhere)
  if (after.key !== atHome.key) known.add(after.key)
  const ordered = byDistance(from, [...known])
  return [...startingAt(ordered, after), nowhere]
}

/** With the place of the position first, so that the list goes on within it; at the start none has been begun. */
function startingAt(ordered: readonly number[], { key }: Position): readonly number[] {
  return key === atHome.key ? ordered : ordered.slice(Math.max(0, ordered.indexOf(key)))
}

function outward(from: number, most: number): Walk {
  const upTo = (after: Position): readonly number[] => {
    const nearest = nearestPlaces(from)
    const at = after.key === atHome.key ? 0 : nearest.indexOf(after.key)
    if (at >= 0 && at + most <= nearest.length) return nearest.slice(at, at + most)
    const places: number[] = []
    if (after.key !== nowhere) {
      for (const part of placesOutward(from, after.key === atHome.key ? undefined : after.key)) {
        places.push(...part.slice(0, most - places.length))
        if (places.length === most) return places
      }
    }
    return [...places, nowhere]
  }
  return {
    ...placeByPlace(upTo),
    stop(after) {
      const last = upTo(after).at(-1) ?? nowhere
      return last === nowhere ? undefined : { id: 1, key: last }
    },
  }
}

const fewFriends = 16

/** The ways to read friends' listings, those of the nearest first: of a few, and where that fills no page, of all. */
export function nearestFriends(
  from: number,
  friends: () => Promise<readonly FriendRow[]>,
): (() => Promise<Walk>)[] {
  const walk = async (most: number, size: number): Promise<Walk> => {
    const owners = Map.groupBy(await friends(), ({ place }) => place)
    return memberByMember((after) => {
      const turns = onward(from, [...owners.keys()], after).flatMap((place, index) =>
        (owners.get(place) ?? []).map(({ id }) => ({ id, turn: place === after.key ? 0 : index + 1 })),
      )
      const lastTurn = turns[most - 1]?.turn ?? Infinity
      const chosen = turns.filter(({ turn }) => turn <= lastTurn)
      return { owners: chosen.map(({ id }) => id), turns: chosen.map(({ turn }) => turn) }
    }, size)
  }
  return [() => walk(fewFriends, 128), () => walk(Infinity, 512)]
}
