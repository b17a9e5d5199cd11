import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { NewListingScreen } from '#web/features/listing-editor/new-listing-screen.tsx'

export const Route = createFileRoute('/_members/listings/new')({
  staticData: { title: msg`New listing` },
  component: NewListingScreen,
})
