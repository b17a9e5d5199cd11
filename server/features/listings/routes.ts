import { limits as numbers } from '#contract/constants.ts'
import { listAreas, listListings } from '#contract/listing-queries.ts'
import {
  createListing,
  deleteListing,
  findEqual,
  getListing,
  guessCategory,
  listingMessages,
  relistListing,
  removeListingImage,
  setListingImage,
  setVisibility,
  updateListing,
} from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { guessCategory as categoryOf } from '#server/features/matching/category.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { requireToken } from '#server/platform/token-buckets.ts'
import { ownListing } from './access.ts'
import { areasOfMarket } from './areas.ts'
import { changeListing, changePhoto, removeListing, removePhoto } from './edit.ts'
import { relist } from './expiry.ts'
import { findEqualListing } from './folding-queries.ts'
import { pageOfListings, postListing, visibleListing } from './listing.ts'

/** An edit reads the texts and matches the listing again. */
const editRate = { burst: 60, perSecond: 2 }

/** A form asks once a word. */
const guessRate = { burst: 60, perSecond: 2 }

export function listingRoutes(app: App, deps: Deps) {
  const { db, limits, tokenBuckets } = deps
  const mayEdit = tokenBuckets<number>(editRate)
  const mayGuess = tokenBuckets<number>(guessRate)
  const perDay = limits('listings', {
    attempts: numbers.listingsPerDay,
    limited: listingMessages.tooMany,
  })
  route(app, createListing, async ({ member, body, file }) => {
    await perDay.attempt(String(member.id))
    return postListing(deps, member.id, body, file)
  })
  route(app, listListings, ({ member, query }) => pageOfListings(deps, member.id, query))
  route(app, listAreas, ({ member, query }) => areasOfMarket(db, member.id, query))
  route(app, findEqual, async ({ member, query }) => ({
    listing:
      (await findEqualListing(db, member.id, query.title, query.type_id, query.category_id ?? null)) ?? null,
  }))
  route(app, guessCategory, async ({ member, query }) => {
    requireToken(mayGuess, member.id)
    const category_id = categoryOf(query.title)
    return { category_id: category_id ?? null, is_known: category_id !== undefined }
  })
  route(app, getListing, ({ member, params }) => visibleListing(db, member.id, params.id))
  route(app, setVisibility, async ({ member, params, body }) => {
    requireToken(mayEdit, member.id)
    return changeListing(deps, await ownListing(db, member.id, params.id, 'edit'), body)
  })
  route(app, updateListing, async ({ member, params, body }) => {
    requireToken(mayEdit, member.id)
    return changeListing(deps, await ownListing(db, member.id, params.id, 'edit'), body)
  })
  route(app, relistListing, async ({ member, params }) =>
    relist(deps, await ownListing(db, member.id, params.id, 'edit')),
  )
  route(app, setListingImage, async ({ member, params, file }) =>
    changePhoto(deps, await ownListing(db, member.id, params.id, 'edit'), file),
  )
  route(app, removeListingImage, async ({ member, params }) =>
    removePhoto(deps, await ownListing(db, member.id, params.id, 'edit')),
  )
  route(app, deleteListing, async ({ member, params }) =>
    removeListing(deps, await ownListing(db, member.id, params.id, 'delete')),
  )
}
