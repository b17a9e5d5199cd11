import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { MemberFrame } from '#web/features/auth/member-frame.tsx'

/** Around every screen for members that has the navigation. The routes in `_members/` need no guard of their own. */
export const Route = createFileRoute('/_members')({
  beforeLoad: membersOnly,
  component: MemberFrame,
})
