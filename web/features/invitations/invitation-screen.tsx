import { useQuery } from '@tanstack/react-query'
import { MailPreview } from '#web/features/mails/mail-preview.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { MemberHead } from '#web/features/shell/member-head.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { invitationQuery } from './invitation-query.ts'
import css from './invitation-screen.module.css'

/** Shows a preview of the invitation mail. */
export function InvitationScreen() {
  const invitation = useQuery(invitationQuery)
  return (
    <Page column>
      <MemberHead title="friend invitation" back={<BackLink to="/myfriends" />} />
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
