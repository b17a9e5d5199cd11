import { createFileRoute } from '@tanstack/react-router'
import { Landing } from '#web/features/landing/landing.tsx'

const title = 'A free market for neighbors who garden'
const description =
  'List the produce, seeds and plants you have, say what you are looking for, and talk it over with the people next door. It is free.'

export const Route = createFileRoute('/')({
  head: () => ({
    meta: [
      { name: 'description', content: description },
      { property: 'og:title', content: `${title} · Rhubarb` },
      { property: 'og:description', content: description },
    ],
  }),
  staticData: { title },
  component: Landing,
})
