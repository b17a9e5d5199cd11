import { z } from 'zod/mini'
import { distanceBands, distanceBandsKm, limits, states, type TypeId, types } from './constants.ts'
import { endpoint } from './endpoint.ts'
import {
  amount,
  categoryField,
  categoryFilter,
  categoryOrNull,
  choice,
  clientId,
  hasFields,
  id,
  line,
  moment,
  money,
  paragraphs,
} from './fields.ts'
import { imageIds, photo, responsiveImage } from './images.ts'
import { msg } from './message.ts'

export const listingMessages = {
  notFound: msg('Listing not found'),
  notYoursToEdit: msg('You do not have permission to edit this listing'),
  notYoursToDelete: msg('You do not have permission to delete this listing'),
  notYoursToAsk: msg('You do not have permission to see who wants this listing'),
  locationUnknown: msg(
    'We do not know where you are. Please add your city and postcode to see what is near you.',
  ),
  placeUnknown: msg('We can not find the place in your profile. Please check it to see what is near you.'),
  cursorUnknown: msg('This page of the list is no longer there. Please start again from the first.'),
  tooMany: msg('You can post at most {max} listings a day', { max: limits.listingsPerDay }),
  daysOutside: msg('Please choose {min} to {max} days', { min: limits.days.min, max: limits.days.max }),
  tooManyPhotos: msg('A listing can have at most {max} photos', { max: limits.photos.listing }),
  quantityOutside: msg('Please give a whole number from {min} to {max}', {
    min: limits.quantity.min,
    max: limits.quantity.max,
  }),
  unitTooLong: msg('A unit can have at most {max} characters', { max: limits.unit }),
  readyFrom: msg('Please choose a day within the next {max} days', { max: limits.readyDays }),
  unitAlone: msg('Please say how many there are, or leave the unit out'),
  quantityTaken: msg('More are promised or handed over already. Please give a higher number.'),
  priceNeeded: msg('Price must be greater than 0 for sell listings'),
  clientIdReused: msg(
    'This was posted already, without your last changes. You can edit it in your listings.',
  ),
} as const

const typeIds = Object.values(types)
const stateIds = Object.values(states)

/** The drawings of the catalog: of crops, and of the category of what has no drawing of its own. */
export const drawings = [
  'apple',
  'basil',
  'bean',
  'carrot',
  'chilli',
  'garlic',
  'kale',
  'lemon',
  'plants',
  'potato',
  'produce',
  'pumpkin',
  'rhubarb',
  'rosemary',
  'seedling-pot',
  'seeds',
  'strawberry',
  'sunflower-seeds',
  'tomato',
  'uncategorized',
  'zucchini',
] as const
export type Drawing = (typeof drawings)[number]

/**
 * `featured_image` and `image` are the first of `images`; `featured_image` is a path under the API's base. `drawing` is shown instead
 * of a photo, and null with one. `within_miles` and `within_km` are the distance bands between the places of caller and owner. They are null if
 * one is unknown, they are further apart, or the listing is the caller's own. An expired listing is shown to its owner only.
 * `open_to_rings` says that a giveaway may be part of a ring; exchanges always may. `request_count` is null except to the owner.
 * `quantity` is how many of `unit` the owner offers, null if the listing is given as a whole. `quantity_left` of them are neither
 * promised nor handed over.
 * `ready_from` is the day from which it is ready, null if it is: before, it is listed, and wants are not matched with it.
 * `is_held` is true for a first listing of the caller that a moderator has not shown yet: nobody else sees it, and wants are not matched
 * with it. `is_hidden` is true for each listing that the desk hides: only its owner sees it.
 * `folded_count` is the number of older equal listings of the owner, with the same title, type and category: lists of several owners
 * have only the newest.
 */
export const listing = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string(),
  price: z.number(),
  is_active: z.boolean(),
  is_public: z.boolean(),
  type_id: z.literal(typeIds),
  state_id: z.literal(stateIds),
  category_id: categoryOrNull,
  featured_image: z.nullable(z.string()),
  image: z.nullable(responsiveImage),
  images: z.array(photo).check(z.maxLength(limits.photos.listing)),
  drawing: z.nullable(z.literal(drawings)),
  owner_id: z.int(),
  owner_username: z.string(),
  owner_profile_picture: z.nullable(z.string()),
  within_miles: z.nullable(z.literal(distanceBands)),
  within_km: z.nullable(z.literal(distanceBandsKm)),
  open_to_rings: z.boolean(),
  quantity: z.nullable(z.int()),
  quantity_left: z.nullable(z.int()),
  unit: z.nullable(z.string()),
  ready_from: z.nullable(z.iso.date()),
  request_count: z.nullable(z.int()),
  folded_count: z.int(),
  created_at: moment,
  updated_at: moment,
  expires_at: moment,
  is_expired: z.boolean(),
  is_held: z.boolean(),
  is_hidden: z.boolean(),
})
export type Listing = z.output<typeof listing>

const titleTooShort = msg('Title must be at least {min} characters long', { min: limits.title.min })
const titleTooLong = msg('Title must be at most {max} characters long', { max: limits.title.max })

const title = line(limits.title.max, titleTooLong, titleTooShort).check(
  z.minLength(limits.title.min, titleTooShort),
)

const description = paragraphs(
  limits.description,
  msg('Description must be at most {max} characters long', { max: limits.description }),
)

/** Has no minimum, because `priceRule` refuses a sale without a price and other listings are stored with 0. */
const price = money(msg('Price must be an amount with at most two decimals')).check(
  z.maximum(limits.price.max, msg('Price must be at most {max}', { max: limits.price.max })),
)

const dayMs = 24 * 60 * 60 * 1000

/** Returns whether a date is within `limits.readyDays`, in any time zone. A past one is allowed: an edit sends it again. */
function isSoonEnough(date: string): boolean {
  const inDays = (Date.parse(date) - Date.now()) / dayMs
  return inDays <= limits.readyDays + 1 && inDays > -10 * 365
}

const fields = {
  title,
  description,
  price,
  is_active: z.boolean(msg('Please say whether the listing is active')),
  is_public: z.boolean(msg('Please say whether the listing is public')),
  type_id: choice(typeIds, msg('Please choose sell, exchange or giveaway')),
  state_id: choice(stateIds, msg('Unknown state')),
  category_id: categoryField,
  /** Counts from the time of the request. */
  days: z.optional(
    z
      .int(listingMessages.daysOutside)
      .check(
        z.minimum(limits.days.min, listingMessages.daysOutside),
        z.maximum(limits.days.max, listingMessages.daysOutside),
      ),
  ),
  open_to_rings: z.boolean(msg('Please say whether the listing is open to rings')),
  quantity: z.nullable(amount(listingMessages.quantityOutside)),
  ready_from: z.nullable(
    z.iso.date(listingMessages.readyFrom).check(z.refine(isSoonEnough, listingMessages.readyFrom)),
  ),
  /** An empty unit is none. */
  unit: z.pipe(
    z.nullable(line(limits.unit, listingMessages.unitTooLong)),
    z.transform((unit) => unit || null),
  ),
}

/** All photos in their order; photos that are left out are deleted. */
const listingImageIds = imageIds(limits.photos.listing, listingMessages.tooManyPhotos)

const priceRule = {
  path: ['price'],
  message: listingMessages.priceNeeded,
  when: ({ value }: { value: unknown }) => {
    return hasFields(value) && typeof value.type_id === 'number' && typeof value.price === 'number'
  },
}
function hasPrice({ type_id, price }: { type_id: TypeId; price: number }) {
  return type_id !== types.sell || price > 0
}

const unitRule = {
  path: ['quantity'],
  message: listingMessages.unitAlone,
  when: ({ value }: { value: unknown }) =>
    hasFields(value) && value.quantity === null && typeof value.unit === 'string',
}
function hasQuantity({ quantity, unit }: { quantity: number | null; unit: string | null }) {
  return unit === null || quantity !== null
}

/** The form of a new listing, in which no field has a default. */
export const wholeListing = z
  .object(fields)
  .check(z.refine(hasPrice, priceRule), z.refine(hasQuantity, unitRule))
export type WholeListing = z.output<typeof wholeListing>

export const newListing = z
  .object({
    ...fields,
    description: z._default(fields.description, ''),
    price: z._default(fields.price, 0),
    is_active: z._default(fields.is_active, true),
    is_public: z._default(fields.is_public, true),
    type_id: z._default(fields.type_id, types.sell),
    state_id: z._default(fields.state_id, states.available),
    category_id: z._default(fields.category_id, null),
    open_to_rings: z._default(fields.open_to_rings, false),
    quantity: z._default(fields.quantity, null),
    unit: z._default(fields.unit, null),
    ready_from: z._default(fields.ready_from, null),
    image_ids: z._default(listingImageIds, []),
    /** A UUID of the client. Posting a listing again with it returns the stored one. */
    client_id: clientId,
  })
  .check(z.refine(hasPrice, priceRule), z.refine(hasQuantity, unitRule))
export type NewListing = z.output<typeof newListing>

const editedFields = z.object({
  ...fields,
  title: line(limits.title.max, titleTooLong, msg('Title is required')).check(
    z.minLength(1, msg('Title is required')),
  ),
})

/** The schema of a listing after an edit. */
export const editedListing = editedFields.check(
  z.refine(hasPrice, priceRule),
  z.refine(hasQuantity, unitRule),
)

/** Changes the given fields. The result must be a valid `editedListing`. */
export const listingChanges = z.partial(z.extend(editedFields, { image_ids: listingImageIds }))
export type ListingChanges = z.output<typeof listingChanges>

/** A type as a query names it. */
export const oneType = choice(typeIds, msg('Please choose sell, exchange or giveaway'))

/** An endpoint of one listing. */
export const oneListing = {
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
} as const

export const createListing = endpoint({
  method: 'POST',
  path: '/listings',
  summary:
    'Post a listing; an uploaded file becomes its first photo. A repeated client_id returns the stored listing, or 409 if it differs',
  auth: 'member',
  body: newListing,
  encoding: 'multipart or json',
  file: 'image',
  response: { 201: listing },
})

/** Serves the form of a new listing. */
export const findEqual = endpoint({
  method: 'GET',
  path: '/listings/equal',
  summary: "Find the caller's newest listing with the same title, type and category that is still listed",
  auth: 'member',
  query: z.object({ title, type_id: oneType, category_id: z.optional(categoryFilter) }),
  response: {
    200: z.object({
      listing: z.nullable(z.object({ id: z.int(), title: z.string(), expires_at: moment })),
    }),
  },
})

/** Serves the forms of a new listing and of the wish list. */
export const guessCategory = endpoint({
  method: 'GET',
  path: '/listings/category',
  summary: 'Guess the category of a title; is_known is false if nothing in it is known',
  auth: 'member',
  query: z.object({ title: line(limits.title.max) }),
  response: { 200: z.object({ category_id: categoryOrNull, is_known: z.boolean() }) },
})

export const getListing = endpoint({
  ...oneListing,
  method: 'GET',
  path: '/listings/{id}',
  summary: 'Get a listing',
  response: { 200: listing },
})

export const setVisibility = endpoint({
  ...oneListing,
  method: 'PATCH',
  path: '/listings/{id}/visibility',
  summary: 'Make a listing public or friends-only',
  body: z.object({ is_public: z.boolean(msg('Please say whether the listing is public')) }),
  response: { 200: listing },
})

export const updateListing = endpoint({
  ...oneListing,
  method: 'PATCH',
  path: '/listings/{id}',
  summary: "Update the sent fields of the caller's listing",
  body: listingChanges,
  response: { 200: listing },
})

/** Idempotent. Makes a gone listing available again. */
export const relistListing = endpoint({
  ...oneListing,
  method: 'POST',
  path: '/listings/{id}/renew',
  summary: "Relist the caller's listing for the same number of days",
  response: { 200: listing },
})

export const deleteListing = endpoint({
  ...oneListing,
  method: 'DELETE',
  path: '/listings/{id}',
  summary: "Delete the caller's listing",
  response: { 204: 'nothing' },
})

export const setListingImage = endpoint({
  ...oneListing,
  method: 'PUT',
  path: '/listings/{id}/image',
  summary: "Replace or add the first photo of the caller's listing",
  body: z.object({}),
  encoding: 'multipart',
  file: 'image',
  response: { 200: listing },
})

export const removeListingImage = endpoint({
  ...oneListing,
  method: 'DELETE',
  path: '/listings/{id}/image',
  summary: "Remove the first photo of the caller's listing",
  response: { 200: listing },
})
