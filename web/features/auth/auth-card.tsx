import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { type TabItem, TabLinks } from '#web/ui/tabs.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

// Both tabs keep the redirect target in the address.
const tabs = (): TabItem[] => [
  { label: t`Login`, to: '/login', search: true },
  { label: t`Register`, to: '/register', search: true },
]

/** The card with the login and register tabs. The current tab is the visible title, so the heading is for screen readers only. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AuthLayout>
      <h1 tabIndex={-1}>
        <VisuallyHidden>{title}</VisuallyHidden>
      </h1>
      <TabLinks label={t`Login or register`} items={tabs()} />
      {children}
    </AuthLayout>
  )
}
