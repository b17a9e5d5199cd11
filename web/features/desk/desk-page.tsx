import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasRole } from '#contract/desk-roles.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import layout from '#web/styles/layout.module.css'
import { ChipLinks } from '#web/ui/chip-links.tsx'
import { Page } from '#web/ui/page.tsx'

/** A screen of the desk with links to the others that the member's role allows. */
export function DeskPage({ children }: { children: ReactNode }) {
  const { data: profile } = useQuery(profileQuery)
  const isOperator = hasRole(profile?.desk_role ?? undefined, 'operator')
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`desk`} back={<BackLink to="/profile" />} />
          <div className={layout.above4}>
            <ChipLinks
              label={t`Desk`}
              items={[
                { label: t`Reports`, to: '/desk', activeOptions: { exact: true } },
                { label: t`Closed reports`, to: '/desk/closed' },
                { label: t`Members`, to: '/desk/members' },
                { label: t`Listings`, to: '/desk/listings' },
                { label: t`Suspicious`, to: '/desk/suspicious' },
                { label: t`Today`, to: '/desk/today' },
                ...(isOperator
                  ? [
                      { label: t`Mail and jobs`, to: '/desk/mail' } as const,
                      { label: t`Health`, to: '/desk/health' } as const,
                      { label: t`Site`, to: '/desk/site' } as const,
                    ]
                  : []),
                { label: t`Audit log`, to: '/desk/audit-log' },
              ]}
            />
          </div>
        </>
      }
    >
      {children}
    </Page>
  )
}
