import type { Deps } from '#server/deps.ts'
import { acceptInvitation } from './invitations.ts'

export function invitationSubscribers(
  deps: Pick<Deps, 'events'> & { readonly realtime: Pick<Deps['realtime'], 'publish'> },
) {
  deps.events.subscribe('member_registered', async (tx, { user_id, invitation }) => {
    if (invitation) await acceptInvitation(deps, tx, user_id, invitation)
  })
}
