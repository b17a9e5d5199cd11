import { limits as numbers } from '#contract/constants.ts'
import {
  getInvitationLink,
  getInviter,
  invitationMessages,
  invite,
  previewInvitation,
  replaceInvitationLink,
  stopInvitations,
} from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { replaceLink, showInviter, showLink } from './invitation-link.ts'
import { createInvitation, showInvitation, stopInviting } from './invitations.ts'

export function invitationRoutes(app: App, { db, jobs, limits, publicUrl, site }: Deps) {
  const perDay = limits('invitations', {
    attempts: numbers.invitationsPerDay,
    seconds: 24 * 60 * 60,
    message: invitationMessages.tooMany,
  })
  route(app, invite, async ({ member, body }) => {
    await perDay.attempt(String(member.id))
    return createInvitation({ db, jobs }, member.id, body.email)
  })
  route(app, previewInvitation, ({ member }) => showInvitation({ db, publicUrl, site }, member.id))
  route(app, getInvitationLink, ({ member }) => showLink({ db, publicUrl }, member.id))
  route(app, replaceInvitationLink, ({ member }) => replaceLink({ db, publicUrl }, member.id))
  route(app, getInviter, ({ query }) => showInviter(db, query.invite))
  route(app, stopInvitations, ({ query }) => stopInviting(db, query.token))
}
