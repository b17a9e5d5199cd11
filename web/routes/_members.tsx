import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { MemberFrame } from '#web/features/auth/member-frame.tsx'
import { painted } from '#web/ui/painted.ts'

/** Around every screen for members that has the navigation. The routes in `_members/` need no guard of their own. */
export const Route = createFileRoute('/_members')({
  beforeLoad: ({ location, cause }) => {
    membersOnly({ location })
    // A screen is much to make: what the tap has marked is painted first.
    return cause === 'stay' ? painted() : undefined
  },
  component: MemberFrame,
})
