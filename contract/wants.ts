import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import {
  briefMember,
  categoryField,
  categoryFilter,
  categoryOrNull,
  id,
  line,
  pageFields,
  searchWords,
} from './fields.ts'
import { drawings } from './listings.ts'
import { msg } from './message.ts'

const tooShort = msg('Each item must have at least {min} characters', { min: limits.want.min })

export const wantMessages = {
  notFound: msg('Want not found'),
  notYours: msg('You do not have permission to change this want'),
  tooMany: msg('You can want at most {max} items in a category', { max: limits.want.perCategory }),
  nothingToSave: msg('Please add at least one item to your wish list'),
} as const

/** `listing_count` is the number of matching listings for the owner, up to 100, and null in lists of other members. */
export const want = z.object({
  id: z.int(),
  title: z.string(),
  category_id: categoryOrNull,
  listing_count: z.nullable(z.int()),
})
export type Want = z.output<typeof want>

export const wantTitle = line(
  limits.want.max,
  msg('Each item must have at most {max} characters', { max: limits.want.max }),
  tooShort,
).check(z.minLength(limits.want.min, tooShort))

export const newWant = z.object({ title: wantTitle, category_id: z._default(categoryField, null) })
export type NewWant = z.output<typeof newWant>

/** The changes of an edit session. All or none are saved. */
export const wantChanges = z
  .object({
    add: z._default(z.array(newWant).check(z.maxLength(100)), []),
    rename: z._default(z.array(z.object({ id, title: wantTitle })).check(z.maxLength(100)), []),
    remove: z._default(z.array(id).check(z.maxLength(100)), []),
  })
  .check(
    z.refine(({ add, rename, remove }) => add.length + rename.length + remove.length > 0, {
      path: ['add'],
      message: wantMessages.nothingToSave,
    }),
  )
export type WantChanges = z.output<typeof wantChanges>

/** A search result: a want of another member. */
export const wantResult = z.extend(z.omit(want, { listing_count: true }), {
  user: briefMember,
})
export type WantResult = z.output<typeof wantResult>

const params = z.object({ id })

export const listWants = endpoint({
  method: 'GET',
  path: '/listings/want-listings',
  summary: "List the caller's wants, or another member's",
  auth: 'member',
  query: z.object({ user_id: z.optional(id) }),
  response: { 200: z.array(want) },
})

export const searchWants = endpoint({
  method: 'GET',
  path: '/listings/want-listings/search',
  summary: "Search other members' wants, newest first; the title contains every word",
  auth: 'member',
  query: z.object({
    q: z.optional(searchWords()),
    category_id: z.optional(categoryFilter),
    ...pageFields,
  }),
  response: { 200: z.array(wantResult) },
})

/**
 * Counts the wants of other members within the caller's reach for a crop in a category. `crop` is its key, `name` is in the caller's language. `wanted`
 * counts members, `offered` those in reach with a listing that fits. `drawing` is for the client.
 */
export const nearbyWant = z.object({
  crop: z.string(),
  name: z.string(),
  category_id: categoryOrNull,
  wanted: z.int(),
  offered: z.int(),
  drawing: z.literal(drawings),
})
export type NearbyWant = z.output<typeof nearbyWant>

export const listNearbyWants = endpoint({
  method: 'GET',
  path: '/wants/nearby',
  summary:
    'Count what members within the match radius (at most 100 miles) want and offer, by crop, the most unmet first (at most 100)',
  auth: 'member',
  query: z.object({ category_id: z.optional(categoryFilter) }),
  response: { 200: z.array(nearbyWant) },
})

/** Counts the wants near the caller for a crop in a category by week, each as its Monday (`2026-03-30`). `met` of those who wanted it could get it. */
export const cropSeason = z.extend(z.omit(nearbyWant, { wanted: true, offered: true }), {
  weeks: z.array(z.object({ week: z.string(), wanted: z.int(), met: z.int() })),
})
export type CropSeason = z.output<typeof cropSeason>

export const listCropSeasons = endpoint({
  method: 'GET',
  path: '/wants/nearby/seasons',
  summary:
    'Show the crops with the most unmet wants near the caller in the last year, by week; approximate, counted once a day by county or town',
  auth: 'member',
  query: z.object({ category_id: z.optional(categoryFilter) }),
  response: { 200: z.array(cropSeason) },
})

export const createWant = endpoint({
  method: 'POST',
  path: '/listings/want-listings',
  summary: 'Add a want',
  auth: 'member',
  body: newWant,
  response: { 201: want },
})

export const saveWants = endpoint({
  method: 'PATCH',
  path: '/listings/want-listings',
  summary: 'Save many changes of wants in one transaction',
  auth: 'member',
  body: wantChanges,
  response: { 200: z.array(want) },
})

const renaming = {
  path: '/listings/want-listings/{id}',
  summary: 'Rename a want',
  auth: 'member',
  params,
  notFound: wantMessages.notFound,
  body: z.object({ title: wantTitle }),
  response: { 200: want },
} as const

export const renameWant = endpoint({ method: 'PATCH', ...renaming })
export const replaceWant = endpoint({ method: 'PUT', ...renaming })

export const deleteWant = endpoint({
  method: 'DELETE',
  path: '/listings/want-listings/{id}',
  summary: 'Delete a want',
  auth: 'member',
  params,
  notFound: wantMessages.notFound,
  response: { 204: 'nothing' },
})
