import type { ReactNode } from 'react'
import { AuthLayout } from '#web/features/shell/auth-layout.tsx'
import { type TabItem, TabLinks } from '#web/ui/tabs.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

// The place that was wanted stays in the address while a visitor goes between the two.
const tabs: TabItem[] = [
  { label: 'Login', to: '/login', search: true },
  { label: 'Register', to: '/register', search: true },
]

/** The card that guests see. Its title is the tab that is chosen; those who hear the page are told it too. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AuthLayout>
      <h1 tabIndex={-1}>
        <VisuallyHidden>{title}</VisuallyHidden>
      </h1>
      <TabLinks label="Login or register" items={tabs} />
      {children}
    </AuthLayout>
  )
}
