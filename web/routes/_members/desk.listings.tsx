import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchDeskListings } from '#web/features/desk/desk-queries.ts'
import { ListingsScreen } from '#web/features/desk/listings-screen.tsx'

export const Route = createFileRoute('/_members/desk/listings')({
  validateSearch: ({ hidden }: Record<string, unknown>): { hidden?: true | undefined } => ({
    hidden: hidden === true || undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchDeskListings(context.queryClient, deps.hidden),
  staticData: { title: msg`Listings` },
  component: ListingsScreen,
})
