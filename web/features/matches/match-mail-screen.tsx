import { useQuery } from '@tanstack/react-query'
import { MailScreen } from '#web/features/mails/mail-screen.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { matchMailQuery } from './match-queries.ts'

/** Shows a preview of the mail about new matches. */
export function MatchMailScreen() {
  return (
    <MailScreen
      title="match notification"
      back={<BackLink to="/my-listings" />}
      mail={useQuery(matchMailQuery)}
      about="This is what you get by e-mail when a neighbor lists what you want."
      label="The match notification"
    />
  )
}
