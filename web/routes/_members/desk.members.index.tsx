import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchDeskMembers } from '#web/features/desk/desk-queries.ts'
import { MembersScreen } from '#web/features/desk/members-screen.tsx'
import { readWords } from '#web/ui/search-words.ts'

export const Route = createFileRoute('/_members/desk/members/')({
  validateSearch: (search: Record<string, unknown>) => readWords(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchDeskMembers(context.queryClient, deps.q),
  staticData: { title: msg`Members` },
  component: MembersScreen,
})
