import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects the address of an earlier version of the profile. */
export const Route = createFileRoute('/_members/old-profile')({
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true })
  },
})
