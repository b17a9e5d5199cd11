import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { storedLogin } from '#web/features/auth/stored-login.ts'

/** Sends a visitor to the login, which leads back to the place that was wanted. */
export function membersOnly({ location }: { location: ParsedLocation }) {
  if (storedLogin() === null) throw redirect({ to: '/login', search: { next: location.href }, replace: true })
}

export function guestsOnly() {
  if (storedLogin() !== null) throw redirect({ to: '/my-listings', replace: true })
}
