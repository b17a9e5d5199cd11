import { createFileRoute, redirect } from '@tanstack/react-router'

/** The friends' tab of the marketplace, as it was once called. */
export const Route = createFileRoute('/_members/my-friend-listing')({
  beforeLoad: () => {
    throw redirect({ to: '/listings', search: { tab: 'friends' }, replace: true })
  },
})
