import { limits } from '#contract/constants.ts'
import {
  getInvitationLink,
  getInviter,
  invitationMessages,
  invite,
  openStopInvitations,
  previewInvitation,
  replaceInvitationLink,
  stopInvitations,
} from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { ownLink, publicInviter, replaceLink } from './invitation-link.ts'
import { createInvitation, previewMail, stopInvitationsPage, stopInvitationsTo } from './invitations.ts'

export function invitationRoutes(app: App, deps: Deps) {
  const { db, jobs, limits: rateLimits, publicUrl } = deps
  const perDay = rateLimits('invitations', {
    attempts: limits.invitationsPerDay,
    message: invitationMessages.tooMany,
  })
  route(app, invite, async ({ member, body }) => {
    await perDay.attempt(String(member.id))
    return createInvitation({ db, jobs }, member.id, body.email)
  })
  route(app, previewInvitation, ({ member }) => previewMail(deps, member.id))
  route(app, getInvitationLink, ({ member }) => ownLink({ db, publicUrl }, member.id))
  route(app, replaceInvitationLink, ({ member }) => replaceLink({ db, publicUrl }, member.id))
  route(app, getInviter, ({ query }) => publicInviter(db, query.invite))
  route(
    app,
    openStopInvitations,
    async ({ query }) => new RouteResponse(undefined, { location: stopInvitationsPage(query.token) }),
  )
  route(app, stopInvitations, ({ query }) => stopInvitationsTo(db, query.token))
}
