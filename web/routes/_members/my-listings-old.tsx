import { createFileRoute, redirect } from '@tanstack/react-router'

/** An older variant of the lists. */
export const Route = createFileRoute('/_members/my-listings-old')({
  beforeLoad: () => {
    throw redirect({ to: '/my-listings', replace: true })
  },
})
