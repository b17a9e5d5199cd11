import type { Deps, Publisher } from '#server/deps.ts'
import { acceptInvitation } from './invitations.ts'

export function invitationSubscribers(deps: Publisher & Pick<Deps, 'events' | 'jobs'>) {
  deps.events.subscribe('member_registered', async (tx, { user_id, invitation }) => {
    if (invitation) await acceptInvitation(deps, tx, user_id, invitation)
  })
}
