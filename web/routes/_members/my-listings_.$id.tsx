import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects the earlier address of a listing. */
export const Route = createFileRoute('/_members/my-listings_/$id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/listings/$id', params, replace: true })
  },
})
