import { createFileRoute } from '@tanstack/react-router'
import { MatchMailScreen } from '#web/features/matches/match-mail-screen.tsx'

export const Route = createFileRoute('/_members/match-noti')({
  head: () => ({ meta: [{ title: 'Match notification · Rhubarb' }] }),
  component: MatchMailScreen,
})
