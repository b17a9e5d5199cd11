import { authMessages, getOwnAvatar, getProfile, uploadProfileImageIn } from '#contract/auth.ts'
import { limits } from '#contract/constants.ts'
import { blockMember, getPublicMember, listBlocks, searchMembers, unblockMember } from '#contract/members.ts'
import {
  deleteProfile,
  getPreferences,
  openStopMails,
  stopMails,
  updatePreferences,
  updateProfileIn,
} from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import { accountLimits } from '#server/features/auth/limits.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { changeProfile, deleteAccount } from './account.ts'
import { openOwnAvatar } from './avatar.ts'
import { block, changePreferences, findMembers, profileFor, unblock } from './members.ts'
import { savePersonalInfo } from './profile.ts'
import { findPreferences, findProfile, listBlocked } from './queries.ts'
import { stopMailsOf, stopMailsPage } from './stop-mails.ts'

export function memberRoutes(app: App, deps: Deps) {
  const { db, images } = deps
  const { login: tries } = accountLimits(deps.limits)
  const perDay = deps.limits('account changes', {
    attempts: limits.loginChangesPerDay,
    limited: authMessages.tooManyChanges,
  })
  const usernamesPerDay = deps.limits('username changes', {
    attempts: limits.usernameChangesPerDay,
    limited: authMessages.tooManyUsernames,
  })
  route(app, getProfile, ({ member }) => findProfile(db, member.id))
  route(app, uploadProfileImageIn(deps.region.country), ({ member, body, file }) =>
    savePersonalInfo(deps, member.id, body, file),
  )
  route(app, getOwnAvatar, ({ member }) => openOwnAvatar({ db, images }, member.id))
  route(app, updateProfileIn(deps.region.country), ({ member, body, address }) =>
    changeProfile({ ...deps, perDay, usernamesPerDay, tries }, member, body, address),
  )
  route(app, deleteProfile, ({ member, body, address }) =>
    deleteAccount({ ...deps, tries }, member, { ...body, address }),
  )
  route(app, getPreferences, ({ member }) => findPreferences(db, member.id))
  route(app, updatePreferences, ({ member, body }) => changePreferences(deps, member.id, body))
  route(
    app,
    openStopMails,
    async ({ query }) => new RouteResponse(undefined, { location: stopMailsPage(query.token) }),
  )
  route(app, stopMails, ({ query }) => stopMailsOf(db, query.token))
  route(app, getPublicMember, ({ member, params }) => profileFor(deps, member.id, params.id))
  route(app, searchMembers, ({ member, query }) => findMembers(deps, member.id, query.q))
  route(app, listBlocks, ({ member }) => listBlocked(db, member.id))
  route(app, blockMember, ({ member, params }) => block(deps, member.id, params.id))
  route(app, unblockMember, ({ member, params }) => unblock(deps, member.id, params.id))
}
