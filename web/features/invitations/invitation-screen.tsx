import { useQuery } from '@tanstack/react-query'
import { MailScreen } from '#web/features/mails/mail-screen.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { invitationQuery } from './invitation-query.ts'

/** Shows a preview of the mail to a neighbor whom the member invites. */
export function InvitationScreen() {
  return (
    <MailScreen
      title="friend invitation"
      back={<BackLink to="/myfriends" />}
      mail={useQuery(invitationQuery)}
      about="This is what a neighbor gets whom you invite by e-mail."
      label="The invitation"
    />
  )
}
