import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where a listing once was. */
export const Route = createFileRoute('/_members/my-listings_/$id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/listings/$id', params, replace: true })
  },
})
