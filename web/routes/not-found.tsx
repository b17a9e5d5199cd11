import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from './-page-not-found.tsx'

export const Route = createFileRoute('/not-found')({
  head: () => ({ meta: [{ title: 'Page Not Found · Rhubarb' }] }),
  component: PageNotFound,
})
