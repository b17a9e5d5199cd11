import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MailScreen } from '#web/features/mails/mail-screen.tsx'
import { matchMailQuery } from '#web/features/matches/match-queries.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'

export const Route = createFileRoute('/_members/match-noti')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(matchMailQuery),
  staticData: { title: msg`Match notification` },
  component: MatchMail,
})

/** Shows a preview of the mail about new matches. */
function MatchMail() {
  return (
    <MailScreen
      title={t`match notification`}
      back={<BackLink to="/my-listings" />}
      mail={useQuery(matchMailQuery)}
      about={t`This is what you get by e-mail when a neighbor lists what you want.`}
      label={t`The match notification`}
    />
  )
}
