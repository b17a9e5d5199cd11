import { redirect } from '@tanstack/react-router'
import { normalizeIdentifier } from '#contract/identifiers.ts'
import type { AppContext } from '#web/context/app-context.ts'

/** The signed invitation in the address. */
export interface InviteSearch {
  invite?: string | undefined
}

export function parseInviteSearch({ invite }: { invite?: unknown }): InviteSearch {
  return { invite: (typeof invite === 'string' && normalizeIdentifier(invite)) || undefined }
}

/** Returns the id of the member whose link carries this invitation, or undefined if it has none. */
export function parseInviterId(invite: string): string | undefined {
  return /^\d+(?=\.)/.exec(invite)?.[0]
}

/** Redirects a member to the inviter's profile, and a guest without an invitation to the login. */
export function guestsWithInvitation({
  context,
  search: { invite = '' },
}: {
  context: AppContext
  search: InviteSearch
}) {
  const id = parseInviterId(invite)
  if (id === undefined) throw redirect({ to: '/login', replace: true })
  if (context.login.get() !== null) throw redirect({ to: '/seller/$id', params: { id }, replace: true })
}
