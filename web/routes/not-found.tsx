import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from './-page-not-found.tsx'

export const Route = createFileRoute('/not-found')({
  staticData: { title: msg`Page Not Found` },
  component: PageNotFound,
})
