import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { NewListingScreen } from '#web/features/listing-editor/new-listing-screen.tsx'
import { parseWantSearch } from '#web/features/wants/want-search.ts'

export const Route = createFileRoute('/_members/listings/new')({
  validateSearch: parseWantSearch,
  staticData: { title: msg`New listing` },
  component: NewListingScreen,
})
