import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { PersonalInfoScreen } from '#web/features/profile/personal-info-screen.tsx'

export const Route = createFileRoute('/personal-info')({
  beforeLoad: membersOnly,
  head: () => ({ meta: [{ title: 'Personal info' }] }),
  component: PersonalInfoScreen,
})
