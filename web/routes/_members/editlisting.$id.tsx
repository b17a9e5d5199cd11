import { createFileRoute, redirect } from '@tanstack/react-router'

/** An older edit screen. */
export const Route = createFileRoute('/_members/editlisting/$id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/listings/$id/edit', params, replace: true })
  },
})
