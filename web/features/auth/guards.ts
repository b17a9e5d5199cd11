import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { AppContext } from '#web/app-context.ts'
import type { RedirectTarget } from '#web/features/auth/redirect-target.ts'

/** Sends a visitor to the login, which leads back to the place that was wanted. */
export function membersOnly({ context, location }: { context: AppContext; location: ParsedLocation }) {
  if (context.login.get() === null)
    throw redirect({ to: '/login', search: { next: location.href }, replace: true })
}

/** Redirects members. One who follows an invitation mail goes to the inviter's page. */
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
