import * as listingQueries from '#contract/listing-queries.ts'
import * as reminders from '#contract/listing-reminders.ts'
import * as listings from '#contract/listings.ts'
import * as matches from '#contract/matches.ts'
import { updateProfile } from '#contract/profile.ts'
import * as wants from '#contract/wants.ts'
import { photo } from '#test/pictures.ts'
import type { Fixture } from './fixture.ts'
import { noInput, ownerOnlyRows, problem, type Row, row, token } from './row.ts'

const toEdit = problem(403, listings.listingMessages.notYoursToEdit)
const toDelete = problem(403, listings.listingMessages.notYoursToDelete)
const toAsk = problem(403, listings.listingMessages.notYoursToAsk)
const notYours = problem(403, wants.wantMessages.notYours)

const wantOfBlocked = ({ cast }: Fixture) => cast.blocked.call(wants.createWant, { body: { title: 'beans' } })

export const rowsOfListings: readonly Row[] = [
  row(listings.createListing, "one's own", 201, () => ({ body: { title: 'Beans', price: 1 } })),
  row(listingQueries.listListings, 'of the owner', 200, ({ cast }) => ({
    query: { user_id: cast.owner.id },
  })),
  row(listingQueries.listAreas, 'of the public list', 200, async ({ cast }, role) => {
    const caller = Object.entries(cast).find(([name]) => name === role)?.[1]
    await caller?.try(updateProfile, { body: { zip_code: '97214' } })
    return { query: { public: 'true' as const } }
  }),
  row(listings.findEqual, "one's own", 200, () => ({ query: { title: 'Beans', type_id: 3 as const } })),
  row(listings.guessCategory, 'of a title', 200, () => ({ query: { title: 'Beans' } })),
  row(listings.getListing, 'a public listing', [200, 200, 200, 404], async ({ listing }) => ({
    params: { id: (await listing({ is_public: true })).id },
  })),
  row(
    listings.getListing,
    "a listing for the owner's friends",
    [404, 200, 200, 404],
    async ({ listing }) => ({
      params: { id: (await listing({ is_public: false })).id },
    }),
  ),
  row(listings.getListing, 'an inactive listing', [404, 404, 200, 404], async ({ listing }) => ({
    params: { id: (await listing({ is_active: false })).id },
  })),
  row(listings.getListing, 'an inactive one for friends', [404, 404, 200, 404], async ({ listing }) => ({
    params: { id: (await listing({ is_public: false, is_active: false })).id },
  })),
  row(listings.getListing, 'a hidden listing', [404, 404, 200, 404], async (fixture) => ({
    params: { id: (await fixture.hiddenListing()).id },
  })),
  row(listings.getListing, 'a listing that has ended', [404, 404, 200, 404], async (fixture) => ({
    params: { id: (await fixture.endedListing()).id },
  })),
  row(listings.getListing, 'a listing of a suspended member', 404, ({ suspendedListing }) => ({
    params: { id: suspendedListing.id },
  })),
  row(
    listings.getListing,
    'a listing of a member whom the owner has blocked',
    [200, 200, 404, 200],
    async ({ cast }) => ({
      params: {
        id: (await cast.blocked.call(listings.createListing, { body: { title: 'Beans', price: 1 } })).id,
      },
    }),
  ),
  ...ownerOnlyRows(listings.setVisibility, 200, toEdit, (id) => ({
    params: { id },
    body: { is_public: false },
  })),
  ...ownerOnlyRows(listings.updateListing, 200, toEdit, (id) => ({
    params: { id },
    body: { title: 'Mine now' },
  })),
  ...ownerOnlyRows(listings.relistListing, 200, toEdit, (id) => ({ params: { id } })),
  ...ownerOnlyRows(listings.deleteListing, 204, toDelete, (id) => ({ params: { id } })),
  ...ownerOnlyRows(listings.removeListingImage, 200, toEdit, (id) => ({ params: { id } })),
  ...ownerOnlyRows(listings.setListingImage, 200, toEdit, async (id) => ({
    params: { id },
    body: {},
    file: await photo({ width: 40, height: 40 }),
  })),

  row(reminders.getReminder, "by the owner's mail", 200, async ({ listing, reminderToken }) => ({
    query: { token: await reminderToken(await listing({ is_public: false })) },
  })),
  row(reminders.getReminder, 'by the mail of a suspended member', 404, async (fixture) => ({
    query: { token: await fixture.reminderToken(fixture.suspendedListing) },
  })),
  row(reminders.getReminder, 'with an invalid token', 404, () => ({ query: { token } })),
  row(reminders.answerReminder, "by the owner's mail", 200, async ({ listing, reminderToken }) => ({
    body: { token: await reminderToken(await listing()), answer: 'gone' as const },
  })),
  row(reminders.answerReminder, 'by the mail of a suspended member', 404, async (fixture) => ({
    body: { token: await fixture.reminderToken(fixture.suspendedListing), answer: 'still_there' as const },
  })),
  row(reminders.answerReminder, 'with an invalid token', 404, () => ({
    body: { token, answer: 'gone' as const },
  })),

  row(wants.listWants, 'of the owner', 200, ({ cast }) => ({ query: { user_id: cast.owner.id } })),
  row(wants.searchWants, 'of anybody', 200, () => ({ query: { q: 'rhubarb' } })),
  row(wants.listNearbyWants, 'near the caller', 200, () => ({ query: {} })),
  row(wants.listCropSeasons, 'near the caller', 200, () => ({ query: {} })),
  row(wants.createWant, "one's own", 201, () => ({ body: { title: 'beans' } })),
  row(wants.saveWants, "the owner's", [notYours, notYours, 200, 404], async ({ want }) => ({
    body: { rename: [{ id: (await want()).id, title: 'mine now' }] },
  })),
  row(wants.saveWants, "the owner's, to be removed", [notYours, notYours, 200, 404], async ({ want }) => ({
    body: { add: [{ title: 'mine' }], remove: [(await want()).id] },
  })),
  row(wants.renameWant, "the owner's", [notYours, notYours, 200, 404], async ({ want }) => ({
    params: { id: (await want()).id },
    body: { title: 'mine now' },
  })),
  row(wants.replaceWant, "the owner's", [notYours, notYours, 200, 404], async ({ want }) => ({
    params: { id: (await want()).id },
    body: { title: 'mine now' },
  })),
  row(wants.deleteWant, "the owner's", [notYours, notYours, 204, 404], async ({ want }) => ({
    params: { id: (await want()).id },
  })),
  row(
    wants.renameWant,
    'of one whom the owner has blocked',
    [notYours, notYours, 404, 200],
    async (fixture) => ({
      params: { id: (await wantOfBlocked(fixture)).id },
      body: { title: 'mine now' },
    }),
  ),
  row(
    wants.deleteWant,
    'of one whom the owner has blocked',
    [notYours, notYours, 404, 204],
    async (fixture) => ({
      params: { id: (await wantOfBlocked(fixture)).id },
    }),
  ),
  row(wants.deleteWant, 'of a suspended member', 404, ({ suspendedWant }) => ({
    params: { id: suspendedWant.id },
  })),

  row(matches.listMatches, "of the owner's want", 200, async ({ want }) => ({
    query: { want_id: (await want()).id },
  })),
  row(matches.dismissMatch, "of the owner's want", [404, 404, 204, 404], async ({ want, neighbor }) => {
    const listing = await neighbor.call(listings.createListing, { body: { title: 'Rhubarb', price: 1 } })
    return { params: { want_id: (await want()).id, listing_id: listing.id } }
  }),
  row(matches.restoreMatch, "of the owner's want", [404, 404, 204, 404], async ({ cast, want, neighbor }) => {
    const listing = await neighbor.call(listings.createListing, { body: { title: 'Rhubarb', price: 1 } })
    const params = { want_id: (await want()).id, listing_id: listing.id }
    await cast.owner.call(matches.dismissMatch, { params })
    return { params }
  }),
  ...ownerOnlyRows(matches.listInterested, 200, toAsk, (id) => ({ params: { id }, query: {} })),
  ...ownerOnlyRows(matches.countTold, 200, toAsk, (id) => ({ params: { id } })),
  row(matches.countInterested, "one's own", 200, () => ({ query: {} })),
  row(matches.countInterestedIn, 'of anybody', 200, () => ({ body: { title: 'Rhubarb' } })),
  row(matches.previewMatchMail, "one's own", 200, noInput),
]
