import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { storedLogin } from '#web/features/auth/stored-login.ts'
import type { WantedPlace } from '#web/features/auth/wanted-place.ts'

/** Sends a visitor to the login, which leads back to the place that was wanted. */
export function membersOnly({ location }: { location: ParsedLocation }) {
  if (storedLogin() === null) throw redirect({ to: '/login', search: { next: location.href }, replace: true })
}

/** Who is a member already and follows the invitation of a mail is sent to whoever invites. */
export function guestsOnly({ search: { next, invitation } }: { search: WantedPlace & { token?: unknown } }) {
  if (storedLogin() === null) return
  if (next !== undefined && invitation !== undefined) throw redirect({ href: next, replace: true })
  throw redirect({ to: '/my-listings', replace: true })
}
