import * as auth from '#contract/auth.ts'
import * as friends from '#contract/friends.ts'
import * as invitations from '#contract/invitations.ts'
import { listingMessages } from '#contract/listings.ts'
import * as members from '#contract/members.ts'
import * as messages from '#contract/messages.ts'
import * as notifications from '#contract/notifications.ts'
import * as profile from '#contract/profile.ts'
import * as push from '#contract/push.ts'
import { report } from '#contract/reports.ts'
import { getSitePage } from '#contract/site-pages.ts'
import { photo } from '#test/pictures.ts'
import type { Fixture } from './fixture.ts'
import { noInput, problem, type Row, row, token } from './row.ts'

const incorrectLogin = problem(401, auth.authMessages.incorrectLogin)
const blockSelf = problem(422, members.memberMessages.blockSelf)
const befriendSelf = problem(422, friends.friendMessages.self)
const friendsAlready = problem(409, friends.friendMessages.friendsAlready)
const notPossible = problem(403, friends.friendMessages.notPossible)
const noMember = problem(404, members.memberMessages.notFound)
const replacedLink = problem(404, invitations.invitationMessages.linkReplaced)
const noListing = problem(404, listingMessages.notFound)
const noMessage = problem(404, messages.messageErrorMessages.notFound)

const subscription = {
  endpoint: 'https://push.example/abc',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}

/** Sends a message of the owner to their neighbor. */
const sendMessage = async ({ cast, neighbor }: Fixture) =>
  cast.owner.call(messages.sendMessage, { body: { receiver_id: neighbor.id, content: 'Rhubarb?' } })

/** Sends a friend request of the neighbor to the owner. */
const sendRequest = async ({ cast, neighbor }: Fixture) =>
  (await neighbor.call(friends.requestFriend, { body: { friend_id: cast.owner.id } })).request_id ?? 0

const inviteOf = (url: string) => new URL(url).searchParams.get('invite') ?? ''

export const rowsOfMembers: readonly Row[] = [
  row(auth.register, 'with a new name', 201, (_, role) => ({
    body: {
      // The whole names of the desk's roles are reserved.
      username: `new_${role.slice(0, 5)}`,
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
  row(auth.logIn, "with the owner's e-mail and a guess", incorrectLogin, ({ cast }) => ({
    body: { username: cast.owner.email, password: 'a-guess' },
  })),
  {
    endpoint: auth.logIn,
    target: 'with the correct password',
    expected: {
      guest: incorrectLogin,
      stranger: { status: 200 },
      formerFriend: { status: 200 },
      friend: { status: 200 },
      owner: { status: 200 },
      blocked: { status: 200 },
      suspended: problem(403, auth.authMessages.suspended),
      moderator: { status: 200 },
      operator: { status: 200 },
    },
    dependsOnRole: true,
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
  row(auth.getResetAccount, 'with an invalid token', 200, () => ({ body: { token } })),
  row(auth.confirmEmail, 'with an invalid token', 400, () => ({ body: { token } })),
  row(auth.disownEmail, 'with an invalid token', 400, () => ({ body: { token } })),
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
  row(profile.openStopMails, 'with any token', 303, () => ({ query: { token } })),
  row(profile.stopMails, 'with an invalid token', 400, ({ cast }) => ({
    query: { token: `mail_unread.${cast.owner.id}.${token}` },
  })),

  row(members.getPublicMember, 'the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id } })),
  row(members.getPublicMember, 'a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
  })),
  row(members.searchMembers, 'by name', 200, () => ({ query: { q: 'owner' } })),
  row(members.listBlocks, "one's own", 200, noInput),
  row(members.blockMember, 'the owner', [204, 204, blockSelf, 204], ({ cast }) => ({
    params: { id: cast.owner.id },
  })),
  row(members.blockMember, 'a suspended member', 404, ({ cast }) => ({ params: { id: cast.suspended.id } })),
  row(members.unblockMember, 'a member whom the owner has blocked', [404, 404, 204, 404], ({ cast }) => ({
    params: { id: cast.blocked.id },
  })),

  row(friends.listFriends, "one's own", 200, () => ({ query: {} })),
  row(friends.listFriendRequests, "one's own", 200, () => ({ query: {} })),
  row(friends.requestFriend, 'the owner', [201, friendsAlready, befriendSelf, notPossible], ({ cast }) => ({
    body: { friend_id: cast.owner.id },
  })),
  row(friends.requestFriend, 'a suspended member', 404, ({ cast }) => ({
    body: { friend_id: cast.suspended.id },
  })),
  row(friends.respondToFriend, 'a request to the owner', [404, 404, 200, 404], async (fixture) => ({
    body: { request_id: await sendRequest(fixture), accept: true },
  })),
  row(friends.getFriendStatus, 'the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id } })),
  row(friends.getFriendStatus, 'a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
  })),
  row(friends.removeFriend, 'the owner', [404, 204, 404, 404], ({ cast }) => ({
    params: { id: cast.owner.id },
  })),

  row(invitations.invite, 'somebody', 202, ({ neighbor }) => ({ body: { email: neighbor.email } })),
  row(invitations.previewInvitation, "one's own", 200, noInput),
  row(invitations.getInvitationLink, "one's own", 200, noInput),
  row(invitations.replaceInvitationLink, "one's own", 200, noInput),
  row(invitations.getInviter, "by the owner's link", 200, async ({ cast }) => ({
    query: { invite: inviteOf((await cast.owner.call(invitations.getInvitationLink)).url) },
  })),
  row(invitations.getInviter, 'by a link that the owner has replaced', replacedLink, async ({ cast }) => {
    const { url } = await cast.owner.call(invitations.getInvitationLink)
    await cast.owner.call(invitations.replaceInvitationLink)
    return { query: { invite: inviteOf(url) } }
  }),
  row(invitations.getInviter, 'by the link of a suspended member', 404, ({ inviteOfSuspended }) => ({
    query: { invite: inviteOfSuspended },
  })),
  row(invitations.openStopInvitations, 'with any token', 303, () => ({ query: { token } })),
  row(invitations.stopInvitations, 'with an invalid token', 400, () => ({ query: { token } })),

  row(messages.sendMessage, 'to the owner', [201, 201, 422, 403], ({ cast }) => ({
    body: { receiver_id: cast.owner.id, content: 'Rhubarb?' },
  })),
  row(messages.sendMessage, 'to a suspended member', 404, ({ cast }) => ({
    body: { receiver_id: cast.suspended.id, content: 'Rhubarb?' },
  })),
  row(messages.listThreadMembers, "one's own", 200, () => ({ query: {} })),
  row(messages.listThreads, "one's own", 200, () => ({ query: {} })),
  row(messages.countUnreadMessages, "one's own", 200, noInput),
  row(messages.listWithdrawnSenders, "one's own", 200, noInput),
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
  row(report, 'a suspended member', noMember, ({ cast }) => ({
    body: { user_id: cast.suspended.id, reason: 'Rude' },
  })),
  row(report, "a listing for the owner's friends", [noListing, 202, 202, noListing], async ({ listing }) => ({
    body: { listing_id: (await listing({ is_public: false })).id, reason: 'Not theirs' },
  })),
  row(report, 'an inactive listing', [noListing, noListing, 202, noListing], async ({ listing }) => ({
    body: { listing_id: (await listing({ is_active: false })).id, reason: 'Not theirs' },
  })),
  row(report, 'a message to a neighbor', [noMessage, noMessage, 202, noMessage], async (fixture) => ({
    body: { message_id: (await sendMessage(fixture)).id, reason: 'Rude' },
  })),

  row(getSitePage, 'about safety', 200, () => ({ params: { name: 'safety' as const }, query: {} })),
]
