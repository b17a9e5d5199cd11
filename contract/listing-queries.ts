import { z } from 'zod/mini'
import { distanceBands, distanceBandsKm, limits, sorts, types } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { categoryFilter, id, pageFields, queryNumber, searchWords } from './fields.ts'
import { listing, oneType } from './listings.ts'
import { msg } from './message.ts'

export type Sort = (typeof sorts)[number]

const queryPrice = queryNumber(
  z
    .number(msg('Please give the price as a number'))
    .check(
      z.minimum(0, msg('Please give the price as a number')),
      z.maximum(limits.price.max, msg('Price must be at most {max}', { max: limits.price.max })),
    ),
)

const nearOutside = msg('Please give a distance from {min} to {max}', {
  min: limits.near.min,
  max: limits.near.max,
})

/** The filters of a list. */
const filterFields = {
  friends: z.optional(z.stringbool()),
  public: z.optional(z.stringbool()),
  category_id: z.optional(categoryFilter),
  /** May be repeated. */
  type_id: z.optional(
    z.union(
      [
        z.pipe(
          oneType,
          z.transform((type) => [type]),
        ),
        z.array(oneType).check(z.minLength(1), z.maxLength(Object.keys(types).length)),
      ],
      msg('Please choose sell, exchange or giveaway'),
    ),
  ),
  /** The price filter applies to sales only. */
  min_price: z.optional(queryPrice),
  max_price: z.optional(queryPrice),
  q: z.optional(searchWords()),
  /** Miles around the caller's place, with decimals for round kilometres. */
  near: z.optional(
    queryNumber(
      z
        .number(nearOutside)
        .check(z.minimum(limits.near.min, nearOutside), z.maximum(limits.near.max, nearOutside)),
    ),
  ),
}

/** Selects one list: the own listings, friends', public ones, one member's, or by default all visible ones. */
export const listingQuery = z
  .object({
    ...filterFields,
    mine: z.optional(z.stringbool()),
    user_id: z.optional(id),
    /** The id of an area of `listAreas`. */
    area: z.optional(id),
    /** The default is `newest`, or `best` with search words. */
    sort: z.optional(z.enum(sorts, msg('Please choose newest, oldest, highest, lowest, nearest or best'))),
    ...pageFields,
  })
  .check(
    z.refine(
      ({ mine, friends, public: everyone, user_id }) =>
        [mine, friends, everyone, user_id].filter(Boolean).length <= 1,
      {
        message: msg('Please ask for one of mine, friends, public and user_id'),
      },
    ),
  )
export type ListingQuery = z.output<typeof listingQuery>

/**
 * The next page begins after the last listing of the one before, by the sort and then the id. A listing that moves in the list meanwhile,
 * because its price or its location changes, may be on two pages or on none; all others are on one. Clients that join pages drop
 * repeated ids.
 */
export const listListings = endpoint({
  method: 'GET',
  path: '/listings',
  summary: 'List listings by owner, filter and sort',
  auth: 'member',
  query: listingQuery,
  response: { 200: z.array(listing) },
})

/** Selects the public list, the friends' or by default all visible listings of others and the caller. */
export const areaQuery = z.object(filterFields).check(
  z.refine(({ friends, public: everyone }) => !(friends && everyone), {
    message: msg('Please ask for one of friends and public'),
  }),
)
export type AreaQuery = z.output<typeof areaQuery>

/**
 * A county in the US; in other countries a town, or a postal code where its table has them. The bands are those of its nearest listing.
 * `area` and `name` are null for all listings of areas that have too few to be shown alone.
 */
export const listingArea = z.object({
  area: z.nullable(z.int()),
  name: z.nullable(z.string()),
  count: z.int(),
  within_miles: z.nullable(z.literal(distanceBands)),
  within_km: z.nullable(z.literal(distanceBandsKm)),
})
export type ListingArea = z.output<typeof listingArea>

/** Counts at most `limits.area.counted` listings of a postal code. */
export const listAreas = endpoint({
  method: 'GET',
  path: '/listings/areas',
  summary: "Count the listings of a list by area around the caller's place, nearest first",
  auth: 'member',
  query: areaQuery,
  response: { 200: z.array(listingArea) },
})
