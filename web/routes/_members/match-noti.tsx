import { createFileRoute } from '@tanstack/react-router'
import { MatchMailScreen } from '#web/features/matches/match-mail-screen.tsx'
import { matchMailQuery } from '#web/features/matches/match-queries.ts'

export const Route = createFileRoute('/_members/match-noti')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(matchMailQuery),
  staticData: { title: 'Match notification' },
  component: MatchMailScreen,
})
