import { register } from '#contract/auth.ts'
import { invitationMessages } from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import { registrationLimit } from '#server/features/auth/limits.ts'
import { findInviterBy } from '#server/features/invitations/invitation-link.ts'
import { registerMember } from '#server/features/members/registration.ts'
import { AppError } from '#server/platform/errors.ts'
import { type App, route } from '#server/platform/http/route.ts'

export function registrationRoutes(app: App, deps: Deps) {
  const registrations = registrationLimit(deps)
  route(app, register, async ({ body, address, language }) => {
    await registrations.attempt(body.email, address)
    await requireInvitation(deps, body.invitation)
    return registerMember(deps, body, { address, language })
  })
}

/** Throws `forbidden` without a valid invitation, if the site is by invitation. */
async function requireInvitation({ db, site }: Pick<Deps, 'db' | 'site'>, invitation = ''): Promise<void> {
  if (site.current().registration !== 'invitation') return
  if (!(await findInviterBy(db, invitation))) throw new AppError('forbidden', invitationMessages.needed)
}
