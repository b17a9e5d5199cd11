import { createFileRoute } from '@tanstack/react-router'
import { Landing } from '#web/features/landing/landing.tsx'

const title = 'A free market for neighbors who garden'
const sentence =
  'List the produce, seeds and plants you have, say what you are looking for, and talk it over with the people next door. It is free.'

export const Route = createFileRoute('/')({
  head: () => ({
    meta: [
      { name: 'description', content: sentence },
      { property: 'og:title', content: `${title} · Rhubarb` },
      { property: 'og:description', content: sentence },
    ],
  }),
  staticData: { title },
  component: Landing,
})
