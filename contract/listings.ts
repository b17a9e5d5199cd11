import { z } from 'zod'
import { distanceBands, limits, sorts, states, type TypeId, types } from './constants.ts'
import { endpoint } from './endpoint.ts'
import {
  categoryField,
  categoryFilter,
  categoryOrNull,
  choice,
  hasFields,
  id,
  line,
  moment,
  money,
  pageFields,
  paragraphs,
} from './fields.ts'
import { imageIds, photo, responsiveImage } from './images.ts'

export const listingMessages = {
  notFound: 'Listing not found',
  notYoursToEdit: 'You do not have permission to edit this listing',
  notYoursToDelete: 'You do not have permission to delete this listing',
  notYoursToAsk: 'You do not have permission to see who wants this listing',
  locationUnknown: 'We do not know where you are. Please add your US postcode to see what is near you.',
  cursorUnknown: 'This page of the list is no longer there. Please start again from the first.',
  tooMany: `You can post at most ${limits.listingsPerDay} listings a day`,
  daysOutside: `Please choose ${limits.days.min} to ${limits.days.max} days`,
  tooManyPhotos: `A listing can have at most ${limits.photos.listing} photos`,
  priceNeeded: 'Price must be greater than 0 for sell listings',
} as const

const typeIds = Object.values(types)
const stateIds = Object.values(states)

/** The drawings of the catalog. */
export const drawings = [
  'apple',
  'basil',
  'bean',
  'carrot',
  'chilli',
  'garlic',
  'kale',
  'lemon',
  'potato',
  'pumpkin',
  'rhubarb',
  'rosemary',
  'seedling-pot',
  'strawberry',
  'sunflower-seeds',
  'tomato',
  'zucchini',
] as const
export type Drawing = (typeof drawings)[number]

/**
 * `featured_image` and `image` are the first of `images`; `featured_image` is a path under the API's base. `drawing` is shown instead
 * of a photo, and null with one. `within_miles` is the distance band between the postal codes of caller and owner. It is null if one
 * is unknown, they are further apart, or the list did not ask for distance. An expired listing is shown to its owner only.
 * `open_to_rings` says that a giveaway may be part of a ring; exchanges always may. `request_count` is null except to the owner.
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
  featured_image: z.string().nullable(),
  image: responsiveImage.nullable(),
  images: z.array(photo).max(limits.photos.listing),
  drawing: z.literal(drawings).nullable(),
  owner_id: z.int(),
  owner_username: z.string(),
  owner_profile_picture: z.string().nullable(),
  within_miles: z.literal(distanceBands).nullable(),
  open_to_rings: z.boolean(),
  request_count: z.int().nullable(),
  created_at: moment,
  updated_at: moment,
  expires_at: moment,
  is_expired: z.boolean(),
})
export type Listing = z.output<typeof listing>

const titleTooShort = `Title must be at least ${limits.title.min} characters long`
const titleTooLong = `Title must be at most ${limits.title.max} characters long`

const title = line(limits.title.max, titleTooLong, titleTooShort).min(limits.title.min, titleTooShort)

const description = paragraphs(
  limits.description,
  `Description must be at most ${limits.description} characters long`,
)

/** Has no minimum, because `priceRule` refuses a sale without a price and other listings are stored with 0. */
const price = money('Price must be an amount in dollars and cents').max(
  limits.price.max,
  `Price must be at most ${limits.price.max}`,
)

const fields = {
  title,
  description,
  price,
  is_active: z.boolean('Please say whether the listing is active'),
  is_public: z.boolean('Please say whether the listing is public'),
  type_id: choice(typeIds, 'Please choose sell, exchange or giveaway'),
  state_id: choice(stateIds, 'Unknown state'),
  category_id: categoryField,
  /** Counts from the time of the request. */
  days: z
    .int(listingMessages.daysOutside)
    .min(limits.days.min, listingMessages.daysOutside)
    .max(limits.days.max, listingMessages.daysOutside)
    .optional(),
  open_to_rings: z.boolean('Please say whether the listing is open to rings'),
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

/** The form of a new listing, in which no field has a default. */
export const wholeListing = z.object(fields).refine(hasPrice, priceRule)
export type WholeListing = z.output<typeof wholeListing>

export const newListing = z
  .object({
    ...fields,
    description: fields.description.default(''),
    price: fields.price.default(0),
    is_active: fields.is_active.default(true),
    is_public: fields.is_public.default(true),
    type_id: fields.type_id.default(types.sell),
    state_id: fields.state_id.default(states.available),
    category_id: fields.category_id.default(null),
    open_to_rings: fields.open_to_rings.default(false),
    image_ids: listingImageIds.default([]),
  })
  .refine(hasPrice, priceRule)
export type NewListing = z.output<typeof newListing>

const editedFields = z.object({
  ...fields,
  title: line(limits.title.max, titleTooLong, 'Title is required').min(1, 'Title is required'),
})

/** The schema of a listing after an edit. */
export const editedListing = editedFields.refine(hasPrice, priceRule)

/** Changes the given fields. The result must be a valid `editedListing`. */
export const listingChanges = editedFields.extend({ image_ids: listingImageIds }).partial()
export type ListingChanges = z.output<typeof listingChanges>

export type Sort = (typeof sorts)[number]

const oneType = choice(typeIds, 'Please choose sell, exchange or giveaway')
const queryPrice = z.coerce
  .number('Please give the price in dollars')
  .min(0, 'Please give the price in dollars')
  .max(limits.price.max, `Price must be at most ${limits.price.max}`)

/** Selects one list: the own listings, friends', public ones, one member's, or by default all visible ones. */
export const listingQuery = z
  .object({
    mine: z.stringbool().optional(),
    friends: z.stringbool().optional(),
    public: z.stringbool().optional(),
    user_id: id.optional(),
    category_id: categoryFilter.optional(),
    /** May be repeated. */
    type_id: z
      .union(
        [oneType.transform((type) => [type]), z.array(oneType).min(1).max(typeIds.length)],
        'Please choose sell, exchange or giveaway',
      )
      .optional(),
    /** The price filter applies to sales only. */
    min_price: queryPrice.optional(),
    max_price: queryPrice.optional(),
    q: line(limits.query.max, `Please type at most ${limits.query.max} characters`)
      .min(limits.query.min, `Please type at least ${limits.query.min} characters`)
      .optional(),
    /** Miles around the caller's postal code. */
    near: z.coerce
      .number('Please give the distance in miles')
      .min(limits.near.min, `Please give a distance of at least ${limits.near.min} mile`)
      .max(limits.near.max, `Please give a distance of at most ${limits.near.max} miles`)
      .optional(),
    /** The default is `newest`, or `best` with search words. */
    sort: z.enum(sorts, 'Please choose newest, oldest, highest, lowest, nearest or best').optional(),
    ...pageFields,
  })
  .refine(
    ({ mine, friends, public: everyone, user_id }) =>
      [mine, friends, everyone, user_id].filter(Boolean).length <= 1,
    {
      message: 'Please ask for one of mine, friends, public and user_id',
    },
  )
export type ListingQuery = z.output<typeof listingQuery>

export const createListing = endpoint({
  method: 'POST',
  path: '/listings',
  summary: 'Post a listing; an uploaded file becomes its first photo',
  auth: 'member',
  body: newListing,
  encoding: 'multipart or json',
  file: 'image',
  response: { 201: listing },
})

export const listListings = endpoint({
  method: 'GET',
  path: '/listings',
  summary: 'List listings by owner, filter and sort',
  auth: 'member',
  query: listingQuery,
  response: { 200: z.array(listing) },
})

export const getListing = endpoint({
  method: 'GET',
  path: '/listings/{id}',
  summary: 'Get a listing',
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  response: { 200: listing },
})

export const setVisibility = endpoint({
  method: 'PATCH',
  path: '/listings/{id}/visibility',
  summary: 'Make a listing public or friends-only',
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  body: z.object({ is_public: z.boolean('Please say whether the listing is public') }),
  response: { 200: listing },
})

export const updateListing = endpoint({
  method: 'PATCH',
  path: '/listings/{id}',
  summary: "Update the sent fields of the caller's listing",
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  body: listingChanges,
  response: { 200: listing },
})

/** Idempotent. Makes a gone listing available again. */
export const renewListing = endpoint({
  method: 'POST',
  path: '/listings/{id}/renew',
  summary: "Renew the caller's listing for the same number of days",
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  response: { 200: listing },
})

export const deleteListing = endpoint({
  method: 'DELETE',
  path: '/listings/{id}',
  summary: "Delete the caller's listing",
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  response: { 204: 'nothing' },
})

export const setListingImage = endpoint({
  method: 'PUT',
  path: '/listings/{id}/image',
  summary: "Replace or add the first photo of the caller's listing",
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  body: z.object({}),
  encoding: 'multipart',
  file: 'image',
  response: { 200: listing },
})

export const removeListingImage = endpoint({
  method: 'DELETE',
  path: '/listings/{id}/image',
  summary: "Remove the first photo of the caller's listing",
  auth: 'member',
  params: z.object({ id }),
  notFound: listingMessages.notFound,
  response: { 200: listing },
})
