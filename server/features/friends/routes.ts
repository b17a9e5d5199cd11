import { limits } from '#contract/constants.ts'
import {
  friendMessages,
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { friendsOf, requestsTo } from './friends.ts'
import { friendshipStatus, removeFriendOrRequest, requestFriendship, respondToRequest } from './friendship.ts'

export function friendRoutes(app: App, deps: Deps) {
  const { db } = deps
  const perDay = deps.limits('friend requests', {
    attempts: limits.friends.requestsPerDay,
    message: friendMessages.tooManyRequests,
  })
  route(app, listFriends, ({ member, query }) => friendsOf(db, member.id, query))
  route(app, listFriendRequests, ({ member, query }) => requestsTo(db, member.id, query))
  route(app, requestFriend, async ({ member, body }) => {
    const { status, isNew } = await requestFriendship({ ...deps, perDay }, member.id, body.friend_id)
    return new RouteResponse(status, {}, isNew ? 201 : 200)
  })
  route(app, respondToFriend, ({ member, body }) =>
    respondToRequest(deps, member.id, body.request_id, body.accept),
  )
  route(app, getFriendStatus, ({ member, params }) => friendshipStatus(db, member.id, params.id))
  route(app, removeFriend, ({ member, params }) => removeFriendOrRequest(deps, member.id, params.id))
}
