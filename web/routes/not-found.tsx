import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from './-page-not-found.tsx'

export const Route = createFileRoute('/not-found')({
  staticData: { title: 'Page Not Found' },
  component: PageNotFound,
})
