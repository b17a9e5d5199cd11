import { t } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { loadDeskMember } from '#web/features/desk/desk-queries.ts'
import { DeskMemberScreen } from '#web/features/desk/member-screen.tsx'
import { Title } from '#web/ui/title.tsx'
import { isId } from '../-is-id.ts'

export const Route = createFileRoute('/_members/desk/members/$id')({
  loader: async ({ context, params }) => {
    const id = Number(params.id)
    const member = isId(id) ? await loadDeskMember(context.queryClient, id) : undefined
    if (!member) throw notFound()
    return member.username
  },
  staticData: { title: MemberTitle },
  component: DeskMemberScreen,
})

function MemberTitle() {
  return <Title name={Route.useMatch({ select: ({ loaderData }) => loaderData ?? t`Member` })} />
}
