import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { NotFound } from '../-page-not-found.tsx'

/** The screens of those who run the site. Other members get 404. */
export const Route = createFileRoute('/_members/desk')({
  loader: async ({ context }) => {
    const { desk_role } = await context.queryClient.ensureQueryData(profileQuery)
    if (desk_role === null) throw notFound()
  },
  staticData: { title: msg`Page Not Found` },
  component: Outlet,
  notFoundComponent: NotFound,
})
