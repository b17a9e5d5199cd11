import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { briefMember, categoryField, id, line, pageFields, paragraphs } from './fields.ts'
import { listing, oneListing } from './listings.ts'
import { msg } from './message.ts'
import { want } from './wants.ts'

export const matchMessages = { notFound: msg('Match not found') } as const

const matchedWant = z.omit(want, { listing_count: true })

/**
 * A listing that fits one of the caller's wants. `reason` explains it, such as "courgette is another name for zucchini". `is_swap` is
 * true if the listing is for exchange and a listing of the caller for exchange fits a want of its owner.
 */
export const match = z.object({
  want: matchedWant,
  listing,
  reason: z.string(),
  is_swap: z.boolean(),
})
export type Match = z.output<typeof match>

/** A member who wants a listing of the caller. `reason` is worded for the caller: "kale is on their list". */
export const interestedMember = z.object({
  want: matchedWant,
  user: briefMember,
  reason: z.string(),
  is_swap: z.boolean(),
})
export type InterestedMember = z.output<typeof interestedMember>

export const listMatches = endpoint({
  method: 'GET',
  path: '/matches',
  summary: "List the matches of the caller's wants or of one want, swaps first, then the newest",
  auth: 'member',
  query: z.object({ want_id: z.optional(id), ...pageFields }),
  response: { 200: z.array(match) },
})

const oneMatch = {
  path: '/matches/{want_id}/{listing_id}',
  auth: 'member',
  params: z.object({ want_id: id, listing_id: id }),
  notFound: matchMessages.notFound,
  response: { 204: 'nothing' },
} as const

export const dismissMatch = endpoint({
  ...oneMatch,
  method: 'DELETE',
  summary: 'Dismiss a match; it is not listed again',
})

export const restoreMatch = endpoint({
  ...oneMatch,
  method: 'PUT',
  summary: 'Restore a dismissed match without a notification',
})

export const listInterested = endpoint({
  ...oneListing,
  method: 'GET',
  path: '/listings/{id}/matches',
  summary: "List the members who want the caller's listing",
  query: z.object(pageFields),
  response: { 200: z.array(interestedMember) },
})

export const countInterested = endpoint({
  method: 'GET',
  path: '/matches/wanted',
  summary:
    "Count the interested members of each of the caller's listings, newest first (at most 100 each); omits listings without any",
  auth: 'member',
  query: z.object(pageFields),
  response: { 200: z.array(z.object({ listing_id: z.int(), count: z.int() })) },
})

/** `is_near` says whether the caller's place is known and all the members live near it. */
export const countTold = endpoint({
  ...oneListing,
  method: 'GET',
  path: '/listings/{id}/told',
  summary: "Count the members who were notified that the caller's listing matches a want",
  response: { 200: z.object({ count: z.int(), is_near: z.boolean() }) },
})

export const countInterestedIn = endpoint({
  method: 'POST',
  path: '/matches/wanting',
  summary: 'Count the members who would want a listing (at most 100)',
  auth: 'member',
  body: z.object({
    title: line(limits.title.max),
    description: z._default(paragraphs(limits.description), ''),
    category_id: z._default(categoryField, null),
  }),
  response: { 200: z.object({ count: z.int() }) },
})

/** Previews the mail with the caller's latest matches or an example, without the address and the personal link. */
export const previewMatchMail = endpoint({
  method: 'GET',
  path: '/matches/preview',
  summary: 'Preview the latest match mail',
  auth: 'member',
  response: { 200: z.object({ subject: z.string(), html: z.string(), text: z.string() }) },
})
