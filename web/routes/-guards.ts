import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { AppContext } from '#web/context/app-context.ts'
import type { RedirectTarget } from '#web/features/auth/redirect-target.ts'
import { parseInviteSearch } from '#web/features/invitations/invite-search.ts'

/** Returns the invitation of the link to a profile. */
export function invitationIn({ pathname, search }: ParsedLocation): string | undefined {
  return pathname.startsWith('/seller/') ? parseInviteSearch(search).invite : undefined
}

/** Redirects the link of an invitation to its page, and otherwise guests to the login, which returns to this page. */
export function membersOnly({ context, location }: { context: AppContext; location: ParsedLocation }) {
  const invite = invitationIn(location)
  if (invite !== undefined) throw redirect({ to: '/invited', search: { invite }, replace: true })
  if (context.login.get() !== null) return
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
