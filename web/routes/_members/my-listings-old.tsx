import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects the address of an earlier version of the lists. */
export const Route = createFileRoute('/_members/my-listings-old')({
  beforeLoad: () => {
    throw redirect({ to: '/my-listings', replace: true })
  },
})
