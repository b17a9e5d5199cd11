import { createFileRoute } from '@tanstack/react-router'
import { NewListingScreen } from '#web/features/listings/new-listing-screen.tsx'

export const Route = createFileRoute('/_members/listings/new')({
  head: () => ({ meta: [{ title: 'New listing · Rhubarb' }] }),
  component: NewListingScreen,
})
