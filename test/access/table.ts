import * as auth from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import * as friends from '#contract/friends.ts'
import type { Photo } from '#contract/images.ts'
import * as images from '#contract/images.ts'
import * as invitations from '#contract/invitations.ts'
import * as reminders from '#contract/listing-reminders.ts'
import * as listings from '#contract/listings.ts'
import * as matches from '#contract/matches.ts'
import * as members from '#contract/members.ts'
import * as messages from '#contract/messages.ts'
import * as notifications from '#contract/notifications.ts'
import * as profile from '#contract/profile.ts'
import * as push from '#contract/push.ts'
import { report } from '#contract/reports.ts'
import { getSitePage } from '#contract/site-pages.ts'
import * as trades from '#contract/trades.ts'
import * as wants from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import type { Fixture, Role } from './fixture.ts'

/** The input of a call; `as` replaces the role's usual member. */
type Input<E extends Endpoint> = CallInput<E> & { as?: Actor }

export interface Row {
  readonly endpoint: Endpoint
  readonly target: string
  readonly expectedStatuses: Readonly<Record<Role, number>>
  readonly prepare: (fixture: Fixture, role: Role) => Promise<object & { as?: Actor }>
}

/** A status for all members alike, or for stranger (a former friend is one), friend, owner, blocked and, if it differs, guest. */
type Statuses =
  | number
  | readonly [stranger: number, friend: number, owner: number, blocked: number, guest?: number]

type Prepare<E extends Endpoint> = (fixture: Fixture, role: Role) => Input<E> | Promise<Input<E>>

/** Adds a row. Guests and suspended members get 401 from endpoints for members; `statuses` are those of the other roles. */
function row<E extends Endpoint>(endpoint: E, target: string, statuses: Statuses, prepare: Prepare<E>): Row {
  const [stranger, friend, owner, blocked, guest = stranger] =
    typeof statuses === 'number' ? [statuses, statuses, statuses, statuses] : statuses
  const withoutSession = endpoint.auth === 'member' ? 401 : guest
  return {
    endpoint,
    target,
    expectedStatuses: {
      guest: withoutSession,
      stranger,
      formerFriend: stranger,
      friend,
      owner,
      blocked,
      suspended: withoutSession,
    },
    prepare: async (fixture, role) => prepare(fixture, role),
  }
}

const smallPhoto = () => photo({ width: 40, height: 40 })
/** Uploads a photo of the owner. */
const uploaded = async ({ cast }: Fixture) =>
  cast.owner.call(images.uploadImage, { body: {}, file: await smallPhoto() })
/** Posts a listing of the owner and returns its photo. */
async function photoOf(fixture: Fixture, changes: { is_public?: boolean; is_active?: boolean }) {
  const { id } = await uploaded(fixture)
  const body = { title: 'Beans', price: 1, image_ids: [id], ...changes }
  const listing = await fixture.cast.owner.call(listings.createListing, { body })
  return listing.images[0] as Photo
}
/** Sends a photo from the owner to the neighbour. */
async function sentPhoto(fixture: Fixture) {
  const { cast, neighbour } = fixture
  const photo = await uploaded(fixture)
  const body = { receiver_id: neighbour.id, content: '', image_ids: [photo.id] }
  await cast.owner.call(messages.sendMessage, { body })
  return photo
}
const named = ({ src }: Photo) => ({ params: { name: src.slice(src.lastIndexOf('/') + 1) } })
const noInput = () => ({})
const token = 'A'.repeat(43)

/** Adds rows of calls that only a listing's owner may make. Others get 403 if they see the listing, else 404. */
function listingRows<E extends Endpoint>(
  endpoint: E,
  done: number,
  input: (id: number) => Input<E> | Promise<Input<E>>,
): Row[] {
  return [
    row(endpoint, 'a public listing', [403, 403, done, 404], async ({ listing }) =>
      input((await listing({ is_public: true })).id),
    ),
    row(endpoint, "a listing for the owner's friends", [404, 403, done, 404], async ({ listing }) =>
      input((await listing({ is_public: false })).id),
    ),
    row(endpoint, 'an inactive listing', [404, 404, done, 404], async ({ listing }) =>
      input((await listing({ is_active: false })).id),
    ),
    row(endpoint, 'a listing of a suspended member', 404, ({ suspendedListing }) =>
      input(suspendedListing.id),
    ),
    row(endpoint, 'a listing that has ended', [404, 404, done, 404], async (fixture) =>
      input((await fixture.endedListing()).id),
    ),
  ]
}

const subscription = {
  endpoint: 'https://push.example/abc',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}

/** Sends a message of the owner to their neighbour. */
const sentMessage = async ({ cast, neighbour }: Fixture) =>
  cast.owner.call(messages.sendMessage, { body: { receiver_id: neighbour.id, content: 'Rhubarb?' } })

/** Sends a friend request of the neighbour to the owner. */
const requested = async ({ cast, neighbour }: Fixture) =>
  (await neighbour.call(friends.requestFriend, { body: { friend_id: cast.owner.id } })).request_id ?? 0

/** A neighbour asks for a listing of the owner. */
async function tradeWithOwner({ listing, neighbour }: Fixture) {
  const { id } = await listing()
  return neighbour.call(trades.createTrade, { body: { listing_id: id } })
}

async function promisedTrade(fixture: Fixture) {
  const { id } = await tradeWithOwner(fixture)
  return fixture.cast.owner.call(trades.acceptTrade, { params: { id } })
}

async function doneTrade(fixture: Fixture) {
  const { id } = await promisedTrade(fixture)
  return fixture.cast.owner.call(trades.handOverTrade, { params: { id }, body: {} })
}

const tomorrow = () => {
  const start = Date.now() + 24 * 60 * 60 * 1000
  return { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 3_600_000).toISOString() }
}

const exchange = { body: { title: 'Leeks', type_id: types.exchange } }

/** Posts a listing of the caller. Returns an unused id for guests and suspended members, who can't post. */
async function exchangeOf({ cast }: Fixture, role: Role): Promise<number> {
  if (role === 'guest' || role === 'suspended') return 987_654_321
  return (await cast[role].call(listings.createListing, exchange)).id
}

/** Adds rows of calls that only the parties of a trade may make. */
function tradeRows<E extends Endpoint>(
  endpoint: E,
  done: number,
  begin: (fixture: Fixture) => Promise<{ id: number }>,
  ask: (id: number) => Input<E>,
): Row[] {
  return [
    row(endpoint, 'of the owner and a neighbour', [404, 404, done, 404], async (fixture) =>
      ask((await begin(fixture)).id),
    ),
  ]
}

const inviteOf = (url: string) => new URL(url).searchParams.get('invite') ?? ''

export const table: readonly Row[] = [
  row(auth.register, 'with a new name', 201, (_, role) => ({
    body: {
      username: `new_${role}`,
      email: `new_${role}@example.com`,
      first_name: 'New',
      last_name: 'Gardener',
      password: 'plum-crumble-42',
    },
  })),
  row(auth.register, "with somebody's e-mail", 409, ({ cast }) => ({
    body: {
      username: 'somebody_else',
      email: cast.owner.email,
      first_name: 'New',
      last_name: 'Gardener',
      password: 'plum-crumble-42',
    },
  })),
  row(auth.logIn, "with the owner's e-mail and a guess", 401, ({ cast }) => ({
    body: { username: cast.owner.email, password: 'a-guess' },
  })),
  {
    endpoint: auth.logIn,
    target: 'with the correct password',
    expectedStatuses: {
      guest: 401,
      stranger: 200,
      formerFriend: 200,
      friend: 200,
      owner: 200,
      blocked: 200,
      suspended: 403,
    },
    prepare: async ({ cast }, role) => ({
      body: {
        username: role === 'guest' ? 'guest@example.com' : cast[role].email,
        password: cast[role].password,
      },
    }),
  },
  row(auth.logOut, 'of this login', 204, async ({ cast, world }, role) => {
    if (role === 'guest' || role === 'suspended') return {}
    const { email, password } = cast[role]
    const as = cast[role].at(world.url)
    as.token = (await as.call(auth.logIn, { body: { username: email, password } })).access_token
    return { as }
  }),
  row(auth.requestPasswordReset, "for the owner's e-mail", 200, ({ cast }) => ({
    body: { email: cast.owner.email },
  })),
  row(auth.resetPassword, 'with an invalid token', 400, () => ({
    body: { token, new_password: 'walls-of-jericho', confirm_password: 'walls-of-jericho' },
  })),
  row(auth.confirmEmail, 'with an invalid token', 400, () => ({ body: { token } })),
  row(auth.resendConfirmation, "to one's own address", 200, noInput),
  row(auth.getProfile, "one's own", 200, noInput),
  row(auth.uploadProfileImage, "one's own", 200, async () => ({
    body: { city: 'Ghent' },
    file: await photo({ width: 40, height: 40 }),
  })),
  row(auth.getOwnAvatar, "one's own", 200, async ({ cast }, role) => {
    if (role === 'guest' || role === 'suspended') return {}
    const file = await photo({ width: 40, height: 40 })
    await cast[role].call(auth.uploadProfileImage, { body: {}, file })
    return {}
  }),

  row(profile.updateProfile, "one's own", 200, () => ({ body: { city: 'Ghent' } })),
  row(profile.updateProfile, "one's own password, with a guess at the current one", 403, () => ({
    body: { password: 'walls-of-jericho-3', current_password: 'a-guess' },
  })),
  row(profile.deleteProfile, "one's own, without the password", 422, () => ({
    body: { password: 'a-guess' },
  })),
  row(profile.deleteProfile, "one's own", 204, async ({ extra, cast }, role) => ({
    body: { password: cast[role].password },
    ...(role === 'guest' || role === 'suspended' ? {} : { as: await extra() }),
  })),
  row(profile.exportProfile, "one's own", 200, noInput),
  row(profile.getPreferences, "one's own", 200, noInput),
  row(profile.updatePreferences, "one's own", 200, () => ({ body: { mail_unread: false } })),
  row(profile.stopMails, 'with an invalid token', 400, ({ cast }) => ({
    query: { token: `mail_unread.${cast.owner.id}.${token}` },
  })),

  row(members.getPublicMember, 'the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id } })),
  row(members.getPublicMember, 'a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
  })),
  row(members.searchMembers, 'by name', 200, () => ({ query: { q: 'owner' } })),
  row(members.listBlocks, "one's own", 200, noInput),
  row(members.blockMember, 'the owner', [204, 204, 422, 204], ({ cast }) => ({
    params: { id: cast.owner.id },
  })),
  row(members.blockMember, 'a suspended member', 404, ({ cast }) => ({ params: { id: cast.suspended.id } })),
  row(members.unblockMember, 'a member whom the owner has blocked', [404, 404, 204, 404], ({ cast }) => ({
    params: { id: cast.blocked.id },
  })),

  row(friends.listFriends, "one's own", 200, () => ({ query: {} })),
  row(friends.listFriendRequests, "one's own", 200, () => ({ query: {} })),
  row(friends.requestFriend, 'the owner', [201, 409, 422, 403], ({ cast }) => ({
    body: { friend_id: cast.owner.id },
  })),
  row(friends.requestFriend, 'a suspended member', 404, ({ cast }) => ({
    body: { friend_id: cast.suspended.id },
  })),
  row(friends.respondToFriend, 'a request to the owner', [404, 404, 200, 404], async (fixture) => ({
    body: { request_id: await requested(fixture), accept: true },
  })),
  row(friends.getFriendStatus, 'the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id } })),
  row(friends.getFriendStatus, 'a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
  })),
  row(friends.removeFriend, 'the owner', [404, 204, 404, 404], ({ cast }) => ({
    params: { id: cast.owner.id },
  })),

  row(invitations.invite, 'somebody', 202, ({ neighbour }) => ({ body: { email: neighbour.email } })),
  row(invitations.previewInvitation, "one's own", 200, noInput),
  row(invitations.getInvitationLink, "one's own", 200, noInput),
  row(invitations.replaceInvitationLink, "one's own", 200, noInput),
  row(invitations.getInviter, "by the owner's link", 200, async ({ cast }) => ({
    query: { invite: inviteOf((await cast.owner.call(invitations.getInvitationLink)).url) },
  })),
  row(invitations.getInviter, 'by a link that the owner has renewed', 404, async ({ cast }) => {
    const { url } = await cast.owner.call(invitations.getInvitationLink)
    await cast.owner.call(invitations.replaceInvitationLink)
    return { query: { invite: inviteOf(url) } }
  }),
  row(invitations.getInviter, 'by the link of a suspended member', 404, ({ inviteOfSuspended }) => ({
    query: { invite: inviteOfSuspended },
  })),
  row(invitations.stopInvitations, 'with an invalid token', 400, () => ({ query: { token } })),

  row(listings.createListing, "one's own", 201, () => ({ body: { title: 'Beans', price: 1 } })),
  row(listings.listListings, 'of the owner', 200, ({ cast }) => ({ query: { user_id: cast.owner.id } })),
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
  ...listingRows(listings.setVisibility, 200, (id) => ({ params: { id }, body: { is_public: false } })),
  ...listingRows(listings.updateListing, 200, (id) => ({ params: { id }, body: { title: 'Mine now' } })),
  ...listingRows(listings.renewListing, 200, (id) => ({ params: { id } })),
  ...listingRows(listings.deleteListing, 204, (id) => ({ params: { id } })),
  ...listingRows(listings.removeListingImage, 200, (id) => ({ params: { id } })),
  ...listingRows(listings.setListingImage, 200, async (id) => ({
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
  row(reminders.getReminder, 'with a token that is none', 404, () => ({ query: { token } })),
  row(reminders.answerReminder, "by the owner's mail", 200, async ({ listing, reminderToken }) => ({
    body: { token: await reminderToken(await listing()), answer: 'gone' as const },
  })),
  row(reminders.answerReminder, 'by the mail of a suspended member', 404, async (fixture) => ({
    body: { token: await fixture.reminderToken(fixture.suspendedListing), answer: 'still_there' as const },
  })),
  row(reminders.answerReminder, 'with a token that is none', 404, () => ({
    body: { token, answer: 'gone' as const },
  })),

  row(wants.listWants, 'of the owner', 200, ({ cast }) => ({ query: { user_id: cast.owner.id } })),
  row(wants.searchWants, 'of anybody', 200, () => ({ query: { q: 'rhubarb' } })),
  row(wants.createWant, "one's own", 201, () => ({ body: { title: 'beans' } })),
  row(wants.saveWants, "the owner's", [403, 403, 200, 404], async ({ want }) => ({
    body: { rename: [{ id: (await want()).id, title: 'mine now' }] },
  })),
  row(wants.saveWants, "the owner's, to be removed", [403, 403, 200, 404], async ({ want }) => ({
    body: { add: [{ title: 'mine' }], remove: [(await want()).id] },
  })),
  row(wants.renameWant, "the owner's", [403, 403, 200, 404], async ({ want }) => ({
    params: { id: (await want()).id },
    body: { title: 'mine now' },
  })),
  row(wants.replaceWant, "the owner's", [403, 403, 200, 404], async ({ want }) => ({
    params: { id: (await want()).id },
    body: { title: 'mine now' },
  })),
  row(wants.deleteWant, "the owner's", [403, 403, 204, 404], async ({ want }) => ({
    params: { id: (await want()).id },
  })),
  row(wants.deleteWant, 'of a suspended member', 404, ({ suspendedWant }) => ({
    params: { id: suspendedWant.id },
  })),

  row(matches.listMatches, "of the owner's want", 200, async ({ want }) => ({
    query: { want_id: (await want()).id },
  })),
  row(matches.dismissMatch, "of the owner's want", [404, 404, 204, 404], async ({ want, neighbour }) => {
    const listing = await neighbour.call(listings.createListing, { body: { title: 'Rhubarb', price: 1 } })
    return { params: { want_id: (await want()).id, listing_id: listing.id } }
  }),
  row(
    matches.restoreMatch,
    "of the owner's want",
    [404, 404, 204, 404],
    async ({ cast, want, neighbour }) => {
      const listing = await neighbour.call(listings.createListing, { body: { title: 'Rhubarb', price: 1 } })
      const params = { want_id: (await want()).id, listing_id: listing.id }
      await cast.owner.call(matches.dismissMatch, { params })
      return { params }
    },
  ),
  ...listingRows(matches.listWantedBy, 200, (id) => ({ params: { id }, query: {} })),
  row(matches.countInterested, "one's own", 200, () => ({ query: {} })),
  row(matches.countInterestedIn, 'of anybody', 200, () => ({ body: { title: 'Rhubarb' } })),
  row(matches.previewMatchMail, "one's own", 200, noInput),

  row(messages.sendMessage, 'to the owner', [201, 201, 422, 403], ({ cast }) => ({
    body: { receiver_id: cast.owner.id, content: 'Rhubarb?' },
  })),
  row(messages.sendMessage, 'to a suspended member', 404, ({ cast }) => ({
    body: { receiver_id: cast.suspended.id, content: 'Rhubarb?' },
  })),
  row(messages.listThreadMembers, "one's own", 200, () => ({ query: {} })),
  row(messages.listThreads, "one's own", 200, () => ({ query: {} })),
  row(messages.countUnreadMessages, "one's own", 200, noInput),
  row(messages.listMessages, 'with the owner', [200, 200, 404, 200], ({ cast }) => ({
    params: { id: cast.owner.id },
    query: {},
  })),
  row(messages.listMessages, 'with a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
    query: {},
  })),
  row(messages.markThreadRead, 'with the owner', [200, 200, 404, 200], ({ cast }) => ({
    params: { id: cast.owner.id },
  })),

  row(notifications.listNotifications, "one's own", 200, () => ({ query: {} })),
  row(notifications.countUnreadNotifications, "one's own", 200, noInput),
  row(notifications.readNotifications, "one's own", 200, () => ({ body: {} })),

  row(push.getPushKey, 'of the server', 200, noInput),
  row(push.subscribeToPush, "one's own", 204, () => ({ body: subscription })),
  row(push.unsubscribeFromPush, "one's own", 204, () => ({ body: { endpoint: subscription.endpoint } })),

  row(report, 'the owner', 202, ({ cast }) => ({ body: { user_id: cast.owner.id, reason: 'Rude' } })),
  row(report, 'a suspended member', 404, ({ cast }) => ({
    body: { user_id: cast.suspended.id, reason: 'Rude' },
  })),
  row(report, "a listing for the owner's friends", [404, 202, 202, 404], async ({ listing }) => ({
    body: { listing_id: (await listing({ is_public: false })).id, reason: 'Not theirs' },
  })),
  row(report, 'a message between the owner and a neighbour', [404, 404, 202, 404], async (fixture) => ({
    body: { message_id: (await sentMessage(fixture)).id, reason: 'Rude' },
  })),

  row(trades.createTrade, 'for a public listing', [201, 201, 422, 403], async ({ listing }) => ({
    body: { listing_id: (await listing()).id },
  })),
  row(
    trades.createTrade,
    "for a listing for the owner's friends",
    [404, 201, 422, 404],
    async ({ listing }) => ({
      body: { listing_id: (await listing({ is_public: false })).id },
    }),
  ),
  row(
    trades.createTrade,
    'for a listing that the owner has hidden',
    [404, 404, 422, 404],
    async ({ listing }) => ({
      body: { listing_id: (await listing({ is_active: false })).id },
    }),
  ),
  row(trades.createTrade, 'for a listing of a suspended member', 404, ({ suspendedListing }) => ({
    body: { listing_id: suspendedListing.id },
  })),
  row(trades.createTrade, 'for a listing that has ended', [409, 409, 422, 403], async (fixture) => ({
    body: { listing_id: (await fixture.endedListing()).id },
  })),
  row(trades.createTrade, 'a swap', [201, 201, 422, 403], async (fixture, role) => ({
    body: { listing_id: (await fixture.listing()).id, offer_listing_id: await exchangeOf(fixture, role) },
  })),
  row(trades.createTrade, 'a ring', [201, 201, 422, 403], async (fixture, role) => {
    const { id } = await fixture.listing({ type_id: types.exchange })
    const { id: neighbours } = await fixture.neighbour.call(listings.createListing, exchange)
    return { body: { ring: [id, neighbours, await exchangeOf(fixture, role)] } }
  }),
  row(trades.listRings, 'for oneself', 200, noInput),
  row(trades.listTrades, "one's own", 200, () => ({ query: {} })),
  row(trades.listTrades, 'about a listing of the owner', 200, async ({ listing }) => ({
    query: { listing_id: (await listing()).id },
  })),
  ...tradeRows(trades.getTrade, 200, tradeWithOwner, (id) => ({ params: { id } })),
  ...tradeRows(trades.acceptTrade, 200, tradeWithOwner, (id) => ({ params: { id } })),
  ...tradeRows(trades.declineTrade, 200, tradeWithOwner, (id) => ({ params: { id } })),
  ...tradeRows(trades.withdrawTrade, 200, promisedTrade, (id) => ({ params: { id } })),
  ...tradeRows(trades.handOverTrade, 200, promisedTrade, (id) => ({ params: { id }, body: {} })),
  ...tradeRows(trades.changePickup, 200, promisedTrade, (id) => ({ params: { id }, body: tomorrow() })),
  ...tradeRows(
    trades.getPickupCalendar,
    200,
    async (fixture) => {
      const { id } = await promisedTrade(fixture)
      await fixture.neighbour.call(trades.changePickup, { params: { id }, body: tomorrow() })
      return fixture.cast.owner.call(trades.changePickup, { params: { id }, body: { accept: true } })
    },
    (id) => ({ params: { id } }),
  ),
  ...tradeRows(trades.thankForTrade, 201, doneTrade, (id) => ({
    params: { id },
    body: { text: 'Thank you!' },
  })),
  row(trades.listThanks, 'to the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id }, query: {} })),
  row(trades.listThanks, 'to a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
    query: {},
  })),
  row(trades.hideThanks, 'that the owner has received', [404, 404, 204, 404], async (fixture) => {
    const { id } = await doneTrade(fixture)
    const thanks = await fixture.neighbour.call(trades.thankForTrade, {
      params: { id },
      body: { text: 'Thanks!' },
    })
    return { params: { id: thanks.id } }
  }),

  row(getSitePage, 'about safety', 200, () => ({ params: { name: 'safety' as const } })),

  row(images.uploadImage, "one's own", 201, async () => ({ body: {}, file: await smallPhoto() })),
  row(images.changeImage, 'of the owner', [404, 404, 200, 404], async (fixture) => {
    const { id } = await uploaded(fixture)
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(images.changeImage, 'of a public listing', [404, 404, 200, 404], async (fixture) => {
    const { id } = await photoOf(fixture, {})
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(images.getImage, 'of a public listing', 200, async (fixture) => named(await photoOf(fixture, {}))),
  row(images.getImage, "of a listing for the owner's friends", [404, 200, 200, 404, 401], async (fixture) =>
    named(await photoOf(fixture, { is_public: false })),
  ),
  row(images.getImage, 'of an inactive listing', [404, 404, 200, 404, 401], async (fixture) =>
    named(await photoOf(fixture, { is_active: false })),
  ),
  row(images.getImage, 'of no listing yet', [404, 404, 200, 404, 401], async (fixture) =>
    named(await uploaded(fixture)),
  ),
  row(images.getImage, 'of a message of the owner', [404, 404, 200, 404, 401], async (fixture) =>
    named(await sentPhoto(fixture)),
  ),
  row(images.changeImage, 'of a message of the owner', [404, 404, 200, 404], async (fixture) => {
    const { id } = await sentPhoto(fixture)
    return { params: { id }, body: { alt: 'Beans' } }
  }),
  row(messages.sendMessage, 'with a photo of the owner', [422, 422, 201, 422], async (fixture) => ({
    body: {
      receiver_id: fixture.neighbour.id,
      content: '',
      image_ids: [(await uploaded(fixture)).id],
    },
  })),
  row(images.getImage, 'by an unknown name', 404, () => ({ params: { name: `${'A'.repeat(22)}-160.webp` } })),
]
