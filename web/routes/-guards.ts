import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { AppContext } from '#web/context/app-context.ts'
import type { RedirectTarget } from '#web/features/auth/redirect-target.ts'
import { parseInviterId, parseInviteSearch } from '#web/features/invitations/invite-search.ts'

/** Redirects guests to the login, which returns to this page, or to the invitation if the address carries one. */
export function membersOnly({ context, location }: { context: AppContext; location: ParsedLocation }) {
  if (context.login.get() !== null) return
  const { invite } = parseInviteSearch(location.search)
  if (invite !== undefined && location.pathname === `/seller/${parseInviterId(invite)}`)
    throw redirect({ to: '/invited', search: { invite }, replace: true })
  throw redirect({ to: '/login', search: { next: location.href }, replace: true })
}

/** Redirects members to their lists, or to the inviter's profile if they follow an invitation. */
export function guestsOnly({
  context,
  search: { next, invitation },
}: {
  context: AppContext
  search: RedirectTarget & { token?: unknown }
}) {
  if (context.login.get() === null) return
  if (next !== undefined && invitation !== undefined) throw redirect({ href: next, replace: true })
  throw redirect({ to: '/my-listings', replace: true })
}
