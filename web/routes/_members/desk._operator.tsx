import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { hasRole } from '#contract/desk-roles.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { NotFound } from '../-page-not-found.tsx'

/** The screens of operators. Moderators get 404. */
export const Route = createFileRoute('/_members/desk/_operator')({
  loader: async ({ context }) => {
    const { desk_role } = await context.queryClient.ensureQueryData(profileQuery)
    if (!hasRole(desk_role ?? undefined, 'operator')) throw notFound()
  },
  staticData: { title: msg`Page Not Found` },
  component: Outlet,
  notFoundComponent: NotFound,
})
