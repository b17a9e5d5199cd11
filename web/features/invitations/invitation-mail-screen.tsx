import { useQuery } from '@tanstack/react-query'
import { MailScreen } from '#web/features/mails/mail-screen.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { invitationMailQuery } from './invitation-mail-query.ts'

/** Shows a preview of the mail that invites a neighbor. */
export function InvitationMailScreen() {
  return (
    <MailScreen
      title="friend invitation"
      back={<BackLink to="/myfriends" />}
      mail={useQuery(invitationMailQuery)}
      about="This is what a neighbor gets whom you invite by e-mail."
      label="The invitation"
    />
  )
}
