import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { reasonField } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { categoryFilter, categoryOrNull, id, moment, pageFields } from './fields.ts'
import { photo } from './images.ts'
import { listingMessages } from './listings.ts'
import { msg } from './message.ts'
import { siteRuleNames } from './report-cases.ts'

export const deskListingMessages = {
  choose: msg('Please choose from 1 to {max} listings', { max: limits.deskListings }),
  ruleNeeded: msg('Please choose the rule'),
  categoryNeeded: msg('Please choose the category'),
  doneAlready: msg('This was done already, perhaps by another moderator. Load the page again to see it.'),
} as const

/** Names the actions of the desk on listings. Each is in the audit log with its reason, and the owner is told. */
export const listingActions = ['hide', 'show', 'categorize'] as const
export type ListingAction = (typeof listingActions)[number]

/** A listing of any state, also hidden, inactive and ended ones. */
export const deskListing = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string(),
  owner: z.object({ id: z.int(), username: z.string() }),
  category_id: categoryOrNull,
  is_active: z.boolean(),
  is_public: z.boolean(),
  is_hidden: z.boolean(),
  /** True if it waits to be shown: a first listing that is hidden until then. */
  is_held: z.boolean(),
  is_expired: z.boolean(),
  created_at: moment,
  images: z.array(photo),
})
export type DeskListing = z.output<typeof deskListing>

export const listDeskListings = endpoint({
  method: 'GET',
  path: '/desk/listings',
  summary: 'List all listings, the hidden ones, or those that wait to be shown, newest first',
  auth: 'moderator',
  query: z.object({ ...pageFields, hidden: z.optional(z.stringbool()), waiting: z.optional(z.stringbool()) }),
  response: { 200: z.array(deskListing) },
})

export const listingActionBody = z
  .object({
    ids: z
      .array(id)
      .check(
        z.minLength(1, deskListingMessages.choose),
        z.maxLength(limits.deskListings, deskListingMessages.choose),
      ),
    action: z.enum(listingActions),
    /** Why. The owners read it. */
    reason: reasonField,
    /** The broken rule, to hide. */
    rule: z.optional(z.enum(siteRuleNames)),
    /** The right category, to categorize. Null is uncategorized. */
    category_id: z.optional(z.nullable(categoryFilter)),
  })
  .check(
    z.refine(({ action, rule }) => action !== 'hide' || rule !== undefined, {
      path: ['rule'],
      error: deskListingMessages.ruleNeeded,
    }),
    z.refine(({ action, category_id }) => action !== 'categorize' || category_id !== undefined, {
      path: ['category_id'],
      error: deskListingMessages.categoryNeeded,
    }),
  )
export type ListingActionBody = z.output<typeof listingActionBody>

/** The ids of the listings that the call has changed, of those that were so already, and of deleted ones. */
export const listingActionResult = z.object({
  done: z.array(z.int()),
  unchanged: z.array(z.int()),
  gone: z.array(z.int()),
})
export type ListingActionResult = z.output<typeof listingActionResult>

export const actOnListings = endpoint({
  method: 'POST',
  path: '/desk/listings/actions',
  summary: 'Hide or show listings or correct their category, which their owners are told',
  auth: 'moderator',
  body: listingActionBody,
  notFound: listingMessages.notFound,
  response: { 200: listingActionResult },
})
