import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { invitationMailQuery } from '#web/features/invitations/invitation-mail-query.ts'
import { MailScreen } from '#web/features/mails/mail-screen.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'

export const Route = createFileRoute('/_members/friend-invi')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(invitationMailQuery),
  staticData: { title: msg`Friend invitation` },
  component: InvitationMail,
})

/** Shows a preview of the mail that invites a neighbor. */
function InvitationMail() {
  return (
    <MailScreen
      title={t`friend invitation`}
      back={<BackLink to="/myfriends" />}
      mail={useQuery(invitationMailQuery)}
      about={t`This is what a neighbor gets whom you invite by e-mail.`}
      label={t`The invitation`}
    />
  )
}
