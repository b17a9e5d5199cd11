import { msg, t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { Landing } from '#web/features/landing/landing.tsx'
import { textOf } from '#web/i18n/i18n.ts'

const title = msg`A free market for neighbors who garden`
const description = () =>
  t`List the produce, seeds and plants you have, say what you are looking for, and talk it over with the people next door. It is free.`

export const Route = createFileRoute('/')({
  head: ({ match: { context } }) => ({
    meta: [
      { name: 'description', content: context.site.sentence || description() },
      { property: 'og:title', content: `${textOf(title)} · ${context.site.name}` },
      { property: 'og:description', content: context.site.sentence || description() },
    ],
  }),
  staticData: { title },
  component: Landing,
})
