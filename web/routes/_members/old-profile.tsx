import { createFileRoute, redirect } from '@tanstack/react-router'

/** An older variant of the profile. */
export const Route = createFileRoute('/_members/old-profile')({
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true })
  },
})
