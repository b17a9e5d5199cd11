import { useQuery } from '@tanstack/react-query'
import { MailPreview } from '#web/features/mails/mail-preview.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { MemberHead } from '#web/features/shell/member-head.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import css from './match-mail-screen.module.css'
import { matchMailQuery } from './match-queries.ts'

/** Shows a preview of the match mail. */
export function MatchMailScreen() {
  const mail = useQuery(matchMailQuery)
  return (
    <Page column>
      <MemberHead title="match notification" back={<BackLink to="/my-listings" />} />
      {mail.isPending && (
        <p role="status" className={css.loading}>
          Loading...
        </p>
      )}
      {mail.isError && <ErrorState text="Failed to load data" onRetry={() => mail.refetch()} />}
      {mail.data !== undefined && (
        <>
          <p className={css.about}>
            This is what you get by e-mail when a neighbor lists what you want. Subject:{' '}
            <b>{mail.data.subject}</b>
          </p>
          <MailPreview html={mail.data.html} label="The match notification" />
        </>
      )}
    </Page>
  )
}
