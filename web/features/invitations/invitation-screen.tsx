import { queryOptions, useQuery } from '@tanstack/react-query'
import { previewInvitation } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'
import { MailPreview } from '#web/features/mails/mail-preview.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page, PageHead } from '#web/ui/page.tsx'
import css from './invitation-screen.module.css'

const invitationQuery = queryOptions({
  queryKey: ['invitation'],
  queryFn: ({ client, signal }) => call(client, previewInvitation, {}, { signal }),
})

/** The mail that goes to those whom the member invites. */
export function InvitationScreen() {
  const invitation = useQuery(invitationQuery)
  return (
    <Page column>
      <PageHead title="friend invitation" back={<BackLink to="/myfriends" />} />
      {invitation.isPending && (
        <p role="status" className={css.loading}>
          Loading...
        </p>
      )}
      {invitation.isError && <ErrorState text="Failed to load data" onRetry={() => invitation.refetch()} />}
      {invitation.data !== undefined && (
        <>
          <p className={css.about}>
            This is what a neighbor gets whom you invite by e-mail. Subject: <b>{invitation.data.subject}</b>
          </p>
          <MailPreview html={invitation.data.html} label="The invitation" />
        </>
      )}
    </Page>
  )
}
