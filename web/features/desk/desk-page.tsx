import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { ChipLinks } from '#web/ui/chip-links.tsx'
import { Page } from '#web/ui/page.tsx'

/** A screen of the desk with links to the others. */
export function DeskPage({ children }: { children: ReactNode }) {
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`desk`} back={<BackLink to="/profile" />} />
          <ChipLinks
            label={t`Desk`}
            items={[
              { label: t`Reports`, to: '/desk' },
              { label: t`Closed reports`, to: '/desk/closed' },
              { label: t`Audit log`, to: '/desk/audit-log' },
            ]}
          />
        </>
      }
    >
      {children}
    </Page>
  )
}
