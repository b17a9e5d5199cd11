import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { GoodbyeScreen } from '#web/features/auth/goodbye-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/goodbye')({
  ssr: ssrForAnyone,
  staticData: { title: msg`Goodbye` },
  component: GoodbyeScreen,
})
