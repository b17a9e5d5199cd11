import { createFileRoute } from '@tanstack/react-router'
import { PageNotFound } from './-page-not-found.tsx'

/** Every address that leads nowhere. */
export const Route = createFileRoute('/$')({
  head: () => ({ meta: [{ title: 'Page Not Found' }] }),
  component: PageNotFound,
})
