import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects the address of an earlier edit screen. */
export const Route = createFileRoute('/_members/editlisting/$id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/listings/$id/edit', params, replace: true })
  },
})
