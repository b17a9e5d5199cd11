import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageNotFound } from './-page-not-found.tsx'

/** Answers every unknown address with 404. */
export const Route = createFileRoute('/$')({
  loader: () => {
    throw notFound()
  },
  staticData: { title: msg`Page Not Found` },
  notFoundComponent: PageNotFound,
})
